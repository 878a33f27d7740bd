// layers/generator/builtin/synthetic/Regions.ts: names of people and companies by region, for synthetic leads.
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"

export interface Region {
  readonly first: ReadonlyArray<string>
  readonly last: ReadonlyArray<string>
  /** Invented names that read well before a trade. */
  readonly stems: ReadonlyArray<string>
  readonly legalForms: ReadonlyArray<string>
  readonly cities: ReadonlyArray<string>
}

const splitList = (text: string): ReadonlyArray<string> => text.split(", ")

const british: Region = {
  first: splitList("Amelia, Priya, Daniel, Grace, Owen, Yasmin, Callum, Ngozi, Thomas, Harriet, Imran, Megan"),
  last: splitList(
    "Whitfield, Okafor, Barlow, Sharma, Pritchard, Hughes, Ahmed, Carver, Langley, Mensah, Fenwick, Doyle"
  ),
  stems: splitList(
    "Ashmere, Brackenhill, Calderbrook, Dunmore, Elmfield, Farrowgate, Hartwell, Kestrel Row, Larkstone, Millhaven"
  ),
  legalForms: splitList("Ltd, Limited, Group, & Co"),
  cities: splitList("Leeds, Bristol, Manchester, Glasgow, Nottingham, Cardiff, York")
}

const american: Region = {
  first: splitList("Maya, Marcus, Elena, Jordan, Sofia, Tyler, Aisha, Kevin, Lauren, Diego, Hannah, Andre"),
  last: splitList(
    "Brooks, Ramirez, Callahan, Nguyen, Whitaker, Patel, Sullivan, Jefferson, Kowalski, Reyes, Hayes, Lindgren"
  ),
  stems: splitList(
    "Cedar Fork, Bluestem, Granite Bay, Lakeridge, Northbend, Prairie Oak, Redhawk, Silver Mesa, Stonebridge, Tamarack"
  ),
  legalForms: splitList("Inc, LLC, Group, Corp"),
  cities: splitList("Columbus, Denver, Austin, Portland, Charlotte, Kansas City, Tampa")
}

const german: Region = {
  first: splitList(
    "Katharina, Jonas, Leyla, Matthias, Annika, Stefan, Miriam, Tobias, Claudia, Emre, Franziska, Lukas"
  ),
  last: splitList(
    "Brandt, Hoffmann, Yilmaz, Lindner, Vogel, Kaiser, Seidel, Winkler, Berger, Schuster, Adler, Neumann"
  ),
  stems: splitList(
    "Altenfels, Birkhof, Eichwald, Falkenau, Hellbach, Kranichfeld, Lindental, Nordmark, Rheintal, Steinbrunn"
  ),
  legalForms: splitList("GmbH, AG, KG"),
  cities: splitList("Leipzig, Stuttgart, Bremen, Hanover, Nuremberg, Dortmund, Kassel")
}

const dutch: Region = {
  first: splitList("Sanne, Pieter, Fatima, Joris, Anouk, Bram, Lotte, Ruben, Marieke, Youssef, Femke, Thijs"),
  last: splitList("Bakker, Visser, Hendriks, Smit, Mulder, Dekker, Brouwer, Kuipers, Vos, Willems, Postma, Amrani"),
  stems: splitList(
    "Beukenhof, Duinrand, Havenzicht, Klaverdal, Lindewaard, Merelveld, Noorderlicht, Polderman, Rietveen, Waterkant"
  ),
  legalForms: splitList("BV, Groep, NV"),
  cities: splitList("Utrecht, Eindhoven, Groningen, Breda, Zwolle, Haarlem, Arnhem")
}

const french: Region = {
  first: splitList("Camille, Julien, Nadia, Antoine, Claire, Mathieu, Sophie, Karim, Élodie, Laurent, Inès, Hugo"),
  last: splitList(
    "Moreau, Lefèvre, Benali, Garnier, Rousseau, Chevalier, Marchand, Fontaine, Dubois, Perrin, Renard, Colin"
  ),
  stems: splitList(
    "Beaurivage, Clairval, Fontbelle, Hautemer, Lavandière, Montclair, Rocheval, Saulnier, Valmont, Villebrune"
  ),
  legalForms: splitList("SAS, SARL, SA"),
  cities: splitList("Lyon, Nantes, Lille, Toulouse, Rennes, Dijon, Grenoble")
}

const spanish: Region = {
  first: splitList("Lucía, Javier, Carmen, Álvaro, Marta, Sergio, Elena, Pablo, Nuria, Rafael, Paula, Iván"),
  last: splitList("Ortega, Navarro, Iglesias, Molina, Serrano, Campos, Vidal, Herrero, Rubio, Santos, Lozano, Prieto"),
  stems: splitList(
    "Almendral, Bellamar, Castroverde, Encinar, Fuentesol, Montealto, Olivera, Riosol, Torreblanca, Valdehoz"
  ),
  legalForms: splitList("SL, SA, Grupo"),
  cities: splitList("Valencia, Zaragoza, Bilbao, Málaga, Seville, Vigo, Murcia")
}

const italian: Region = {
  first: splitList("Giulia, Marco, Chiara, Davide, Francesca, Luca, Elisa, Matteo, Valentina, Paolo, Sara, Andrea"),
  last: splitList("Ferrari, Conti, Marchetti, Rinaldi, Greco, Fontana, Moretti, Bellini, Caruso, Gallo, Leone, Villa"),
  stems: splitList(
    "Altomare, Belcolle, Castelverde, Fiordaliso, Lungarno, Montebruno, Olmeto, Pianalto, Rivachiara, Solegno"
  ),
  legalForms: splitList("SRL, SPA"),
  cities: splitList("Bologna, Turin, Verona, Genoa, Padua, Bari, Parma")
}

const polish: Region = {
  first: splitList("Magdalena, Piotr, Agnieszka, Tomasz, Karolina, Marcin, Joanna, Paweł, Ewa, Jakub, Natalia, Adam"),
  last: splitList("Nowak, Kowal, Wójcik, Mazur, Krawczyk, Pawlak, Sikora, Duda, Baran, Kubiak, Wilk, Lis"),
  stems: splitList("Bielany, Dąbrowa, Jasnowo, Kalinowo, Lipowiec, Modrzew, Olszyna, Sosnowa, Wierzbno, Zielona"),
  legalForms: splitList("Sp. z o.o., SA"),
  cities: splitList("Poznań, Wrocław, Gdańsk, Kraków, Łódź, Katowice, Lublin")
}

const nordic: Region = {
  first: splitList("Astrid, Henrik, Freja, Oskar, Linnea, Mikkel, Signe, Anders, Maja, Jonas, Ida, Elias"),
  last: splitList(
    "Lindqvist, Hansen, Bergström, Dahl, Nyström, Solberg, Holm, Eklund, Lund, Strand, Aalto, Vestergaard"
  ),
  stems: splitList("Bjerkely, Fjordvik, Granholm, Havsund, Kvarnby, Lyngdal, Nordhaug, Solvang, Stenmark, Vinterro"),
  legalForms: splitList("AB, AS, Group"),
  cities: splitList("Gothenburg, Aarhus, Bergen, Tampere, Malmö, Odense, Trondheim")
}

const indian: Region = {
  first: splitList("Ananya, Rohan, Kavya, Vikram, Meera, Arjun, Nisha, Sanjay, Divya, Rahul, Pooja, Aditya"),
  last: splitList("Iyer, Kapoor, Reddy, Menon, Banerjee, Desai, Chopra, Nair, Joshi, Malhotra, Rao, Kulkarni"),
  stems: splitList(
    "Amrapur, Chandravan, Devgarh, Indravati, Kaveri Vale, Manikpur, Nandivan, Rajvihar, Sonagiri, Vasantpur"
  ),
  legalForms: splitList("Pvt Ltd, Ltd, Group"),
  cities: splitList("Pune, Bengaluru, Chennai, Hyderabad, Ahmedabad, Jaipur, Kochi")
}

const portuguese: Region = {
  first: splitList(
    "Beatriz, Thiago, Mariana, Rafaela, Gustavo, Larissa, Felipe, Camila, Rodrigo, Leticia, Bruno, Renata"
  ),
  last: splitList(
    "Almeida, Barbosa, Cardoso, Ferreira, Gomes, Lopes, Moraes, Nogueira, Pereira, Ribeiro, Tavares, Teixeira"
  ),
  stems: splitList(
    "Altavista, Boavento, Campoverde, Jacaranda, Lagoazul, Montesol, Pedralva, Rioclaro, Serrana, Valeverde"
  ),
  legalForms: splitList("Ltda, SA, Grupo"),
  cities: splitList("Curitiba, Porto Alegre, Recife, Campinas, Fortaleza, Salvador, Florianópolis")
}

const japanese: Region = {
  first: splitList("Haruka, Kenji, Yuki, Takashi, Naomi, Hiroshi, Emi, Daisuke, Mariko, Satoshi, Aiko, Ryota"),
  last: splitList(
    "Sato, Tanaka, Watanabe, Kobayashi, Nakamura, Yamada, Matsumoto, Inoue, Kimura, Hayashi, Mori, Ishida"
  ),
  stems: splitList("Aokawa, Fujimori, Hanazono, Kazehara, Midorino, Nagihama, Sakurano, Takamine, Umezaki, Yukishiro"),
  legalForms: splitList("KK, Co, Group"),
  cities: splitList("Osaka, Nagoya, Fukuoka, Sapporo, Kobe, Sendai, Hiroshima")
}

const australian: Region = {
  ...british,
  stems: splitList(
    "Banksia, Coolabah, Eastbourne Hill, Ironbark, Karri, Mallee Creek, Redgum, Silverwattle, Tallowood, Warrigal"
  ),
  legalForms: splitList("Pty Ltd, Group"),
  cities: splitList("Brisbane, Perth, Adelaide, Melbourne, Auckland, Wellington, Hobart")
}

const knownRegions: ReadonlyArray<readonly [RegExp, Region]> = [
  [
    /\b(?:UK|U\.K\.|United Kingdom|(?:Great )?Brit\w*|England|English|Scot\w+|Wales|Welsh|(?:Northern )?Ireland|Irish|London|Manchester|Birmingham|Dublin|Edinburgh|Glasgow)\b/i,
    british
  ],
  [
    /\b(?:USA?|U\.S\.(?:A\.)?|United States(?: of America)?|(?:North )?America\w*|Canad\w+|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico|York)|(?:North|South) (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|Virginia|Washington|Wisconsin|Wyoming|Boston|Chicago|Seattle|San Francisco|Los Angeles|Toronto)\b/i,
    american
  ],
  [
    /\b(?:German\w*|Deutschland|DACH|Austria\w*|Österreich|Swiss|Switzerland|Schweiz|Bavaria\w*|Bayern|Baden\S*|Hess\w+|Sachsen|Saxony|Nordrhein\S*|Berlin|Munich|München|Hamburg|Frankfurt|Cologne|Köln|Stuttgart|Vienna|Wien|Zurich|Zürich)(?!\p{L})/iu,
    german
  ],
  [/\b(?:Netherlands|Nederland|Dutch|Holland|Benelux|Belgi\w+|Amsterdam|Rotterdam|Antwerp)\b/i, dutch],
  [/\b(?:France|French|Paris|Lyon)\b/i, french],
  [
    /\b(?:Spain|Spanish|España|Iberia\w*|Latin America|LATAM|Mexic\w+|Argentin\w+|Chile|Colombia|Madrid|Barcelona)\b/i,
    spanish
  ],
  [/\b(?:Ital(?:y|ian?)|Milan|Rome)\b/i, italian],
  [/\b(?:Poland|Polish|Polska|Warsaw)\b/i, polish],
  [/\b(?:Nordics?|Scandinavia\w*|Swed\w+|Norw\w+|Denmark|Danish|Finland|Finnish|Stockholm|Copenhagen|Oslo)\b/i, nordic],
  [/\b(?:India|Indian|Mumbai|Delhi|Bangalore)\b/i, indian],
  [/\b(?:Brazil\w*|Brasil|Portug\w+|Lisbon|São Paulo)\b/i, portuguese],
  [/\b(?:Japan\w*|Tokyo)\b/i, japanese],
  [/\b(?:Austral(?:ia|ian|asia)|New Zealand|ANZ|Sydney)\b/i, australian]
]

const europeanRegions = [german, french, dutch, italian, nordic, spanish] as const

/** Words that name several regions. */
const wideRegions: ReadonlyArray<readonly [RegExp, Regions]> = [
  [/\b(?:Europe\w*|EU|EMEA)\b/i, europeanRegions],
  [
    /\b(?:world ?wide|global(?:ly)?|international|anywhere|all over the world)\b/i,
    [british, american, dutch, spanish, nordic, indian]
  ]
]

type Regions = readonly [Region, ...ReadonlyArray<Region>]

const defaultRegions: Regions = [british, american, dutch, spanish, nordic]

const findRegions = (place: string): ReadonlyArray<Region> => {
  const matches = knownRegions.flatMap(([pattern, region]) => (place.search(pattern) >= 0 ? [region] : []))
  return matches.length > 0
    ? matches
    : wideRegions.flatMap(([pattern, regions]) => (place.search(pattern) >= 0 ? regions : []))
}

/**
 * The regions of the segment's location, or else those that its name has. A segment without a location can also take
 * those of the business. If none is known, names are mixed from five regions.
 */
export const regionsForSegment = (
  { geographic_location, segment_name }: Segment,
  { city_region }: Pick<Details, "city_region">
): Regions => {
  const places =
    geographic_location.trim() === "" ? [segment_name, city_region ?? ""] : [geographic_location, segment_name]
  const [first, ...more] = places.map(findRegions).find((regions) => regions.length > 0) ?? []
  return first === undefined ? defaultRegions : [first, ...more]
}

/** Words for a whole region, for which any of its towns will do. */
const regionWords =
  /\b(?:UK|U\.K\.|United Kingdom|Great Britain|Britain|USA?|U\.S\.(?:A\.)?|United States(?: of America)?|North America|Germany|Deutschland|DACH|Netherlands|Benelux|France|Spain|Italy|Poland|Nordics?|Scandinavia|India|Brazil|Japan|Australia|ANZ|Europe|EU|EMEA|world ?wide|global(?:ly)?|international|anywhere|the|mainly|mostly|western|northern|southern|eastern|central)\b/gi

/** More precise places: "Ohio", "Dublin, Ireland". */
export const placesIn = (text: string): ReadonlyArray<string> =>
  text
    .split(/\s+(?:and|und|or|&)\s+|;/i)
    .map((place) => place.trim())
    .filter((place) => place.length <= 60 && /\p{L}/u.test(place.replace(regionWords, "")))
