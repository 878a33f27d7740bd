// layers/generator/builtin/Regions.ts: what people and companies of a region are called, for leads that do not exist.

export interface Region {
  readonly first: ReadonlyArray<string>
  readonly last: ReadonlyArray<string>
  /** Invented; each reads well before a trade. */
  readonly stems: ReadonlyArray<string>
  readonly forms: ReadonlyArray<string>
  readonly cities: ReadonlyArray<string>
}

const list = (text: string): ReadonlyArray<string> => text.split(", ")

const british: Region = {
  first: list("Amelia, Priya, Daniel, Grace, Owen, Yasmin, Callum, Ngozi, Thomas, Harriet, Imran, Megan"),
  last: list("Whitfield, Okafor, Barlow, Sharma, Pritchard, Hughes, Ahmed, Carver, Langley, Mensah, Fenwick, Doyle"),
  stems: list(
    "Ashmere, Brackenhill, Calderbrook, Dunmore, Elmfield, Farrowgate, Hartwell, Kestrel Row, Larkstone, Millhaven"
  ),
  forms: list("Ltd, Limited, Group, & Co"),
  cities: list("Leeds, Bristol, Manchester, Glasgow, Nottingham, Cardiff, York")
}

const american: Region = {
  first: list("Maya, Marcus, Elena, Jordan, Sofia, Tyler, Aisha, Kevin, Lauren, Diego, Hannah, Andre"),
  last: list(
    "Brooks, Ramirez, Callahan, Nguyen, Whitaker, Patel, Sullivan, Jefferson, Kowalski, Reyes, Hayes, Lindgren"
  ),
  stems: list(
    "Cedar Fork, Bluestem, Granite Bay, Lakeridge, Northbend, Prairie Oak, Redhawk, Silver Mesa, Stonebridge, Tamarack"
  ),
  forms: list("Inc, LLC, Group, Corp"),
  cities: list("Columbus, Denver, Austin, Portland, Charlotte, Kansas City, Tampa")
}

const german: Region = {
  first: list("Katharina, Jonas, Leyla, Matthias, Annika, Stefan, Miriam, Tobias, Claudia, Emre, Franziska, Lukas"),
  last: list("Brandt, Hoffmann, Yilmaz, Lindner, Vogel, Kaiser, Seidel, Winkler, Berger, Schuster, Adler, Neumann"),
  stems: list(
    "Altenfels, Birkhof, Eichwald, Falkenau, Hellbach, Kranichfeld, Lindental, Nordmark, Rheintal, Steinbrunn"
  ),
  forms: list("GmbH, AG, KG"),
  cities: list("Leipzig, Stuttgart, Bremen, Hanover, Nuremberg, Dortmund, Kassel")
}

const dutch: Region = {
  first: list("Sanne, Pieter, Fatima, Joris, Anouk, Bram, Lotte, Ruben, Marieke, Youssef, Femke, Thijs"),
  last: list("Bakker, Visser, Hendriks, Smit, Mulder, Dekker, Brouwer, Kuipers, Vos, Willems, Postma, Amrani"),
  stems: list(
    "Beukenhof, Duinrand, Havenzicht, Klaverdal, Lindewaard, Merelveld, Noorderlicht, Polderman, Rietveen, Waterkant"
  ),
  forms: list("BV, Groep, NV"),
  cities: list("Utrecht, Eindhoven, Groningen, Breda, Zwolle, Haarlem, Arnhem")
}

const french: Region = {
  first: list("Camille, Julien, Nadia, Antoine, Claire, Mathieu, Sophie, Karim, Élodie, Laurent, Inès, Hugo"),
  last: list(
    "Moreau, Lefèvre, Benali, Garnier, Rousseau, Chevalier, Marchand, Fontaine, Dubois, Perrin, Renard, Colin"
  ),
  stems: list(
    "Beaurivage, Clairval, Fontbelle, Hautemer, Lavandière, Montclair, Rocheval, Saulnier, Valmont, Villebrune"
  ),
  forms: list("SAS, SARL, SA"),
  cities: list("Lyon, Nantes, Lille, Toulouse, Rennes, Dijon, Grenoble")
}

const spanish: Region = {
  first: list("Lucía, Javier, Carmen, Álvaro, Marta, Sergio, Elena, Pablo, Nuria, Rafael, Paula, Iván"),
  last: list("Ortega, Navarro, Iglesias, Molina, Serrano, Campos, Vidal, Herrero, Rubio, Santos, Lozano, Prieto"),
  stems: list(
    "Almendral, Bellamar, Castroverde, Encinar, Fuentesol, Montealto, Olivera, Riosol, Torreblanca, Valdehoz"
  ),
  forms: list("SL, SA, Grupo"),
  cities: list("Valencia, Zaragoza, Bilbao, Málaga, Seville, Vigo, Murcia")
}

const italian: Region = {
  first: list("Giulia, Marco, Chiara, Davide, Francesca, Luca, Elisa, Matteo, Valentina, Paolo, Sara, Andrea"),
  last: list("Ferrari, Conti, Marchetti, Rinaldi, Greco, Fontana, Moretti, Bellini, Caruso, Gallo, Leone, Villa"),
  stems: list(
    "Altomare, Belcolle, Castelverde, Fiordaliso, Lungarno, Montebruno, Olmeto, Pianalto, Rivachiara, Solegno"
  ),
  forms: list("SRL, SPA"),
  cities: list("Bologna, Turin, Verona, Genoa, Padua, Bari, Parma")
}

const polish: Region = {
  first: list("Magdalena, Piotr, Agnieszka, Tomasz, Karolina, Marcin, Joanna, Paweł, Ewa, Jakub, Natalia, Adam"),
  last: list("Nowak, Zieliński, Wójcik, Mazur, Krawczyk, Pawlak, Sikora, Duda, Baran, Kubiak, Wilk, Lis"),
  stems: list("Bielany, Dąbrowa, Jasnowo, Kalinowo, Lipowiec, Modrzew, Olszyna, Sosnowa, Wierzbno, Zielona"),
  forms: list("Sp. z o.o., SA"),
  cities: list("Poznań, Wrocław, Gdańsk, Kraków, Łódź, Katowice, Lublin")
}

const nordic: Region = {
  first: list("Astrid, Henrik, Freja, Oskar, Linnea, Mikkel, Signe, Anders, Maja, Jonas, Ida, Elias"),
  last: list("Lindqvist, Hansen, Bergström, Dahl, Nyström, Solberg, Holm, Eklund, Lund, Strand, Aalto, Vestergaard"),
  stems: list("Bjerkely, Fjordvik, Granholm, Havsund, Kvarnby, Lyngdal, Nordhaug, Solvang, Stenmark, Vinterro"),
  forms: list("AB, AS, Group"),
  cities: list("Gothenburg, Aarhus, Bergen, Tampere, Malmö, Odense, Trondheim")
}

const joined = (...regions: ReadonlyArray<Region>): Region => ({
  first: regions.flatMap(({ first }) => first),
  last: regions.flatMap(({ last }) => last),
  stems: regions.flatMap(({ stems }) => stems),
  forms: ["Group", "& Co", "Partners"],
  cities: regions.flatMap(({ cities }) => cities)
})

const known: ReadonlyArray<readonly [RegExp, Region]> = [
  [/\b(?:UK|U\.K\.|United Kingdom|Brit\w*|England|English|Scot\w+|Wales|Welsh|Ireland|Irish|London)\b/i, british],
  [/\b(?:USA?|U\.S\.(?:A\.)?|United States|America\w*|Canad\w+|North America)\b/i, american],
  [/\b(?:German\w*|DACH|Austria\w*|Swiss|Switzerland|Berlin|Munich)\b/i, german],
  [/\b(?:Netherlands|Dutch|Holland|Benelux|Belgi\w+|Amsterdam|Rotterdam)\b/i, dutch],
  [/\b(?:France|French|Paris)\b/i, french],
  [/\b(?:Spain|Spanish|Iberia\w*|Latin America|LATAM|Mexic\w+|Madrid|Barcelona)\b/i, spanish],
  [/\b(?:Ital(?:y|ian)|Milan|Rome)\b/i, italian],
  [/\b(?:Poland|Polish|Warsaw)\b/i, polish],
  [/\b(?:Nordics?|Scandinavia\w*|Swed\w+|Norw\w+|Denmark|Danish|Finland|Finnish)\b/i, nordic],
  [/\b(?:Europe\w*|EU|EMEA)\b/i, joined(german, french, dutch, italian, nordic, spanish)]
]

const anywhere = joined(british, american, dutch, spanish, nordic)

/** The regions that a text names, as one; without any, names from here and there. */
export const regionOf = (...places: ReadonlyArray<string>): Region => {
  for (const place of places) {
    const named = known.flatMap(([pattern, region]) => (pattern.test(place) ? [region] : []))
    const [first, ...more] = named
    if (first !== undefined) return more.length === 0 ? first : joined(first, ...more)
  }
  return anywhere
}
