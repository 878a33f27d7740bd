// layers/answerer/Translations.ts: the English words for German, French and Spanish ones, so that a question in English finds such a text.
import { foldCase } from "#layers/answerer/Terms.ts"
import { stemWord } from "#layers/text/Stem.ts"
import { wordSet, wordTokens } from "#layers/text/Words.ts"

/** The languages of texts that are searched in English. */
const languages = ["de", "fr", "es"] as const
export type Language = (typeof languages)[number]

/** Small words of a language that are not frequent in the others. */
const smallWords: Readonly<Record<Language | "en", ReadonlySet<string>>> = {
  // "In", "on", "or", "an", "no" and "a" are words of other languages too.
  en: wordSet("the of and is it we our you your for with be are at from not they this that has have by to"),
  de: wordSet(
    "der die das den dem des ein eine einen einem einer und ist sind wird werden wir ihr sie nicht kein keine mit von vom für auf bei beim zum zur im auch nur wenn bis ab pro je oder aber hat haben unser unsere unseren nach aus über bitte sich als"
  ),
  fr: wordSet(
    "le les des du est sont et nous vous pas ne avec dans sur une un pour par au aux qui que cette ce nos notre votre vos ou sans chez être il elle à la"
  ),
  es: wordSet(
    "el los las del es son y con por para una un se su sus nuestro nuestra que al lo como más en sin desde hasta hay tiene cada o la"
  )
}

/** An English word and, behind "=", the words for it: German / French / Spanish, without a language left out. */
const dictionary =
  "language=sprache/langue/idioma lengua, objection=einwand einwände/objection/objeción, replacement=ersatz austausch/" +
  "remplacement/reemplazo sustitución, phone=telefon anruf telefonisch/téléphone/teléfono llamada, employee=mitarbeiter " +
  "mitarbeiterin mitarbeitende beschäftigte angestellte/employé salarié/empleado, price=preis kosten gebühr honorar tarif/" +
  "prix tarif coût/precio tarifa coste, contract=vertrag mandat auftrag/contrat/contrato, notice=kündigung kündigungsfrist/" +
  "préavis résiliation/preaviso, cancel=kündigen stornieren storno gekündigt/annuler résilier annulation/cancelar anular " +
  "cancelación, warranty=garantie gewährleistung/garantie/garantía, delivery=lieferung liefern lieferzeit versand anlieferung/" +
  "livraison livrer/entrega envío, week=woche wöchentlich/semaine/semana, month=monat monatlich/mois mensuel/mes mensual, " +
  "year=jahr jährlich/année an annuel/año anual, day=tag täglich werktag/jour/día, hour=stunde stündlich uhr/heure/hora, minute=minute, " +
  "customer=kunde kundin auftraggeber mandant/client/cliente, order=bestellung auftrag bestellen/commande/pedido, invoice=" +
  "rechnung/facture/factura, payment=zahlung zahlen zahlt zahlungsziel bezahlen/paiement payer/pago pagar, discount=rabatt " +
  "nachlass skonto/remise rabais/descuento, offer=angebot/offre devis/oferta presupuesto, quote=angebot zitat/devis/presupuesto, " +
  "competitor=wettbewerber mitbewerber konkurrent konkurrenz/concurrent/competidor competencia, supplier=lieferant " +
  "zulieferer/fournisseur/proveedor, location=standort niederlassung sitz/site emplacement lieu/ubicación sede, address=" +
  "adresse anschrift/adresse/dirección, office=büro/bureau/oficina, factory=werk fabrik/usine/fábrica, warehouse=lager " +
  "lagerhalle/entrepôt/almacén, store=lagern aufbewahren/stocker/almacenar, machine=maschine anlage gerät/machine appareil/" +
  "máquina equipo, vehicle=fahrzeug wagen transporter/véhicule/vehículo, driver=fahrer/chauffeur/conductor, door=tür tor/porte/puerta, " +
  "roof=dach/toit/tejado, wall=wand/mur/pared, window=fenster/fenêtre/ventana, floor=boden/sol/suelo, building=gebäude " +
  "/bâtiment/edificio, house=haus/maison/casa, water=wasser/eau/agua, electricity=strom/électricité/electricidad, energy=" +
  "energie/énergie/energía, wood=holz/bois/madera, steel=stahl/acier/acero, metal=metall/métal/metal, plastic=kunststoff/" +
  "plastique/plástico, glass=glas/verre/vidrio, paper=papier/papier/papel, fabric=stoff gewebe/tissu/tejido, color=farbe/couleur/color, " +
  "size=grösse größe abmessung/taille/tamaño, weight=gewicht/poids/peso, length=länge/longueur/longitud, width=breite/" +
  "largeur/ancho, height=höhe/hauteur/altura, quantity=menge stückzahl/quantité/cantidad, minimum=mindest mindestens " +
  "mindestmenge/minimum/mínimo, maximum=höchstens maximal höchst/maximum/máximo, average=durchschnitt schnitt durchschnittlich/moyenne/" +
  "media promedio, deadline=frist stichtag/délai échéance/plazo, duration=dauer laufzeit/durée/duración, term=laufzeit/durée/plazo, " +
  "start=beginn beginnen anfang starten/début commencer/inicio empezar, end=ende enden/fin/fin final, appointment=termin/rendez-vous/" +
  "cita, meeting=besprechung treffen/réunion/reunión, visit=besuch besuchen/visite/visita, fair=messe/salon foire/feria, " +
  "stand=stand messestand/stand/stand, training=schulung ausbildung einweisung/formation/formación, certificate=zertifikat " +
  "zertifiziert bescheinigung/certificat certifié/certificado, license=lizenz genehmigung/licence/licencia, insurance=" +
  "versicherung versichert haftpflicht/assurance/seguro, liability=haftung haftpflicht/responsabilité/responsabilidad, damage=" +
  "schaden schäden beschädigt/dommage dégât/daño, repair=reparatur reparieren instandsetzung/réparation réparer/reparación, " +
  "maintenance=wartung instandhaltung/entretien maintenance/mantenimiento, service=dienst leistung kundendienst service/service/servicio, " +
  "installation=montage einbau installation/installation montage/instalación montaje, fitter=monteur/monteur/montador, technician=" +
  "techniker servicetechniker/technicien/técnico, engineer=ingenieur/ingénieur/ingeniero, manager=leiter geschäftsführer " +
  "leitung/directeur responsable/director gerente, director=geschäftsführer vorstand direktor/directeur/director, owner=inhaber " +
  "eigentümer/propriétaire/propietario dueño, founder=gründer gegründet/fondateur fondé/fundador fundada, boss=chef chefin/patron/jefe, " +
  "team=mannschaft team/équipe/equipo, person=person personen/personne/persona, people=personen leute menschen/personnes/personas, " +
  "candidate=kandidat bewerber/candidat/candidato, job=stelle beruf/poste emploi/puesto, salary=gehalt lohn gehaltswunsch/salaire/" +
  "salario sueldo, fee=honorar gebühr mindesthonorar/honoraires frais/honorario, travel=reise fahrt reisekosten/voyage " +
  "déplacement/viaje, expense=spesen auslagen/frais/gasto, cost=kosten kostet/coût coûter/coste costo, tax=steuer/impôt/impuesto, " +
  "vat=mwst mehrwertsteuer ust/tva/iva, free=kostenlos kostenfrei gratis unentgeltlich/gratuit/gratis gratuito, sample=muster " +
  "probe/échantillon/muestra, trial=probe test testphase/essai/prueba, test=prüfung test prüfen/essai contrôle/prueba ensayo, " +
  "inspection=prüfung kontrolle/inspection contrôle/inspección, quality=qualität/qualité/calidad, complaint=beschwerde reklamation/" +
  "plainte réclamation/queja reclamación, problem=problem/problème/problema, mistake=fehler/erreur/error, delay=verzug " +
  "verspätung verzögerung/retard/retraso, late=spät verspätet/tard/tarde, fast=schnell/rapide/rápido, urgent=dringend eilig/urgent/urgente, " +
  "new=neu/nouveau nouvelle/nuevo nueva, old=alt/ancien vieux/viejo antiguo, large=gross groß/grand/grande, small=klein/petit/" +
  "pequeño, safe=sicher/sûr/seguro, safety=sicherheit arbeitsschutz/sécurité/seguridad, data=daten/données/datos, privacy=" +
  "datenschutz diskretion vertraulichkeit/confidentialité/privacidad, confidentiality=vertraulichkeit diskretion verschwiegenheit " +
  "vertraulichkeitserklärung/confidentialité/confidencialidad, confidential=vertraulich/confidentiel/confidencial, report=bericht/rapport/" +
  "informe, document=unterlagen dokument/document/documento, record=protokoll nachweis/registre/registro, signature=" +
  "unterschrift/signature/firma, approval=freigabe genehmigung zustimmung/approbation/aprobación, agree=vereinbaren zustimmen " +
  "einverstanden/accepter/acordar, permit=genehmigung/permis/permiso, law=gesetz recht/loi/ley, lawyer=anwalt rechtsanwalt/avocat/" +
  "abogado, doctor=arzt ärztin/médecin/médico, hospital=krankenhaus klinik/hôpital/hospital, school=schule/école/escuela, child=kind " +
  "kinder/enfant/niño, guest=gast gäste/client hôte/huésped, room=zimmer raum/chambre salle/habitación sala, bed=bett/lit/cama, " +
  "kitchen=küche/cuisine/cocina, food=lebensmittel essen speisen/nourriture aliment/comida alimento, drink=getränk/boisson/bebida, " +
  "meal=mahlzeit essen/repas/comida, waste=abfall müll/déchet/residuo, cleaning=reinigung reinigen putzen/nettoyage/limpieza, " +
  "rent=miete mieten/loyer louer location/alquiler alquilar, buy=kaufen kauf/acheter achat/comprar compra, sell=verkaufen " +
  "verkauf/vendre vente/vender venta, pay=zahlen bezahlen/payer/pagar, deliver=liefern/livrer/entregar, ship=versenden versand " +
  "verschicken/expédier/enviar, install=montieren einbauen/installer/instalar, return=rückgabe retoure rücksendung/retour/devolución, " +
  "refund=erstattung erstatten erstattet rückzahlung/remboursement rembourser/reembolso, deposit=anzahlung kaution/acompte caution/" +
  "depósito anticipo fianza, holiday=urlaub feiertag ferien/vacances congé/vacaciones festivo, weekend=wochenende/week-end/fin de semana, " +
  "night=nacht nachts/nuit/noche, morning=morgen vormittag/matin/mañana, evening=abend abends/soir/tarde noche, spring=frühjahr " +
  "frühling/printemps/primavera, summer=sommer/été/verano, autumn=herbst/automne/otoño, winter=winter/hiver/invierno, quarter=" +
  "quartal/trimestre/trimestre, half=hälfte halb/moitié demi/mitad medio, third=drittel/tiers/tercio, double=doppelt/double/doble, " +
  "company=firma unternehmen betrieb/entreprise société/empresa, industry=branche industrie/secteur industrie/sector industria, " +
  "region=gebiet region/région/región zona, country=land länder/pays/país, city=stadt/ville/ciudad, foreign=ausland ausländisch/étranger/" +
  "extranjero, website=webseite homepage internetseite/site/web, email=mail e-mail/courriel/correo, answer=antwort antworten/" +
  "réponse/respuesta, question=frage/question/pregunta, reason=grund/raison/razón motivo, goal=ziel/objectif/objetivo, result=" +
  "ergebnis/résultat/resultado, reference=referenz/référence/referencia, success=erfolg/succès/éxito, growth=wachstum/croissance/" +
  "crecimiento, revenue=umsatz/chiffre d'affaires/facturación, turnover=umsatz/chiffre/facturación, profit=gewinn/bénéfice/" +
  "beneficio, budget=budget/budget/presupuesto, project=projekt/projet/proyecto, product=produkt erzeugnis/produit/producto, part=" +
  "teil ersatzteil/pièce/pieza, spare=ersatzteil/rechange/repuesto, tool=werkzeug/outil/herramienta, material=werkstoff material/" +
  "matériau/material, packaging=verpackung/emballage/embalaje, label=etikett/étiquette/etiqueta, colour=farbe/couleur/color, " +
  "surcharge=aufpreis zuschlag aufschlag/supplément/recargo, extra=aufpreis zuschlag zusätzlich/supplément/recargo adicional, " +
  "included=inklusive enthalten inbegriffen/inclus compris/incluido, excluded=ausgeschlossen/exclu/excluido, refuse=ablehnen " +
  "abgelehnt/refuser/rechazar, exclude=ausschliessen ausschluss/exclure/excluir, allowed=erlaubt zulässig/autorisé/permitido, " +
  "forbidden=verboten untersagt/interdit/prohibido, open=offen geöffnet öffnungszeiten/ouvert/abierto, closed=geschlossen " +
  "betriebsferien/fermé/cerrado, lead=leitung/direction/dirección, emergency=notfall notdienst/urgence/emergencia, reachable=" +
  "erreichbar/joignable/disponible, available=verfügbar erreichbar/disponible/disponible, capacity=kapazität auslastung/capacité/" +
  "capacidad, storage=lagerung speicher batteriespeicher/stockage/almacenamiento, battery=batterie akku/batterie/batería, apprentice=azubi auszubildende lehrling " +
  "/apprenti/aprendiz, member=mitglied/membre/miembro, association=verband verein/association/asociación, partner=partner/" +
  "partenaire/socio, family=familie familienbetrieb/famille/familia, generation=generation/génération/generación, subcontractor=nachunternehmer " +
  "subunternehmer/sous-traitant/subcontratista, temporary=zeitarbeit arbeitnehmerüberlassung befristet/intérim temporaire/temporal, " +
  "internship=praktikum praktika/stage/prácticas, interview=gespräch vorstellungsgespräch/entretien/entrevista, call=anruf anrufen/appel/" +
  "llamada, board=vorstand/conseil/consejo, expensive=teuer/cher/caro, cheap=günstig billig/bon-marché/barato, crew=trupp kolonne/équipe/cuadrilla, branch=niederlassung filiale zweigstelle/succursale/sucursal, panel=paneel platte/panneau/panel, speak=sprechen spricht/parler/hablar, work=arbeiten arbeitet arbeit/travailler travail/trabajar trabajo, need=brauchen braucht benötigen/besoin/necesitar, " +
  "use=nutzen nutzt verwenden/utiliser/usar utilizar, produce=herstellen produzieren fertigen/fabriquer produire/fabricar producir, build=bauen baut/construire/construir, " +
  "measure=messen messung/mesurer mesure/medir medición, clean=reinigen sauber/nettoyer propre/limpiar limpio, collect=abholen abholung/collecter/recoger recogida, " +
  "support=betreuen betreuung begleiten/assistance/apoyo, guarantee=garantie garantieren/garantie garantir/garantía garantizar, vienna=wien, munich=münchen, cologne=köln, nuremberg=nürnberg, hanover=hannover, zurich=zürich/zurich, geneva=" +
  "genf/genève, basel=basel/bâle, bern=bern/berne, lucerne=luzern, brunswick=braunschweig, bavaria=bayern/bavière, saxony=sachsen/saxe, " +
  "thuringia=thüringen, hesse=hessen, lower-saxony=niedersachsen, tyrol=tirol, styria=steiermark, carinthia=kärnten, prague=prag/" +
  "prague/praga, warsaw=warschau/varsovie/varsovia, milan=mailand/milan/milán, venice=venedig/venise/venecia, florence=florenz/" +
  "florence/florencia, rome=rom/rome/roma, brussels=brüssel/bruxelles/bruselas, copenhagen=kopenhagen/copenhague/copenhague, lisbon=" +
  "lissabon/lisbonne/lisboa, london=london/londres/londres, moscow=moskau/moscou/moscú, strasbourg=strassburg/strasbourg/" +
  "estrasburgo, seville=sevilla/séville/sevilla, catalonia=katalonien/catalogne/cataluña, alps=alpen/alpes/alpes, europe=europa/europe/europa"

/** A word, and the word without the ending of its form: "vertrage" and "vertrag". */
const formsOf = (word: string): ReadonlyArray<string> => {
  const folded = foldCase(word)
  return folded.length < 5 ? [folded] : [folded, folded.replace(/(?:e[nrms]?|[ns])$/, "")]
}

/** The names that the runtime has in a language: countries, languages, months and weekdays, each with the English one. */
const namesIn = (language: Language): ReadonlyArray<readonly [foreign: string, english: string]> => {
  const codes = Array.from({ length: 26 * 26 }, (_, index) =>
    String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26))
  )
  const placeAndLanguageNames = (["region", "language"] as const).flatMap((type) => {
    const [foreignNames, english] = [language, "en"].map(
      (each) => new Intl.DisplayNames(each, { type, fallback: "none" })
    )
    return codes.flatMap((code) => {
      const regionOrLanguage = type === "region" ? code : code.toLowerCase()
      const [foreignName, englishName] = [foreignNames?.of(regionOrLanguage), english?.of(regionOrLanguage)]
      return foreignName === undefined || englishName === undefined || / /.test(foreignName + englishName)
        ? []
        : [[foreignName, englishName] as const]
    })
  })
  const dates = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2024, index, index + 1)))
  const dateNames = (["month", "weekday"] as const).flatMap((dateField) => {
    const format = (locale: string) => new Intl.DateTimeFormat(locale, { [dateField]: "long", timeZone: "UTC" })
    return dates.map((date) => [format(language).format(date), format("en").format(date)] as const)
  })
  return [...placeAndLanguageNames, ...dateNames]
}

const addWord = (words: Map<string, ReadonlyArray<string>>, foreign: string, english: string) => {
  for (const key of formsOf(foreign)) {
    const translations = words.get(key) ?? []
    if (key.length > 1 && !translations.includes(english)) words.set(key, [...translations, english])
  }
}

const makeDictionary = (language: Language): ReadonlyMap<string, ReadonlyArray<string>> => {
  const words = new Map<string, ReadonlyArray<string>>()
  for (const entry of dictionary.split(/, ?/)) {
    const [english = "", translations = ""] = entry.split("=")
    for (const foreign of (translations.split("/")[languages.indexOf(language)] ?? "").split(" "))
      addWord(words, foreign, english)
  }
  for (const [foreign, english] of namesIn(language)) addWord(words, foreign, english.toLowerCase())
  return words
}

// Made when the first text in the language is read, because most workspaces have none.
const dictionaries = new Map<Language, ReadonlyMap<string, ReadonlyArray<string>>>()
const dictionaryOf = (language: Language) => {
  const loaded = dictionaries.get(language) ?? makeDictionary(language)
  dictionaries.set(language, loaded)
  return loaded
}

const countSmallWords = (text: string) => {
  const words = wordTokens(text.toLowerCase())
  const count = (language: Language | "en") => {
    let found = 0
    for (const word of words) if (smallWords[language].has(word)) found++
    return found
  }
  return { english: count("en"), counts: languages.map((language) => ({ language, count: count(language) })) }
}

/** The language of a text besides English that has the most small words in it; undefined if it has almost none. */
export const foreignLanguage = (text: string): Language | undefined => {
  const { counts, english } = countSmallWords(text)
  const [best] = counts.toSorted((a, b) => b.count - a.count)
  return best !== undefined && best.count >= 3 && best.count >= english / 5 ? best.language : undefined
}

/** Whether a sentence of a text that has such a language is in English: "Salary report downloads since 12 January". */
const isEnglish = (line: string, language: Language): boolean => {
  const { counts, english } = countSmallWords(line)
  return english > (counts.find((each) => each.language === language)?.count ?? 0)
}

/** Shortest known part and shortest rest of a German compound. */
const minPart = 5
const minRest = 3

/** The English words of a word, or of the words that a German compound begins and ends with. */
const translateWord = (language: Language, word: string): ReadonlyArray<string> => {
  const words = dictionaryOf(language)
  const wordsFor = (part: string, least = minPart) =>
    formsOf(part).flatMap((form) => (form.length < least ? [] : (words.get(form) ?? [])))
  const wholeWord = new Set(wordsFor(word, 2))
  if (wholeWord.size > 0 || language !== "de" || word.length < minPart + minRest) return [...wholeWord]
  const cuts = Array.from({ length: word.length - minPart - minRest + 1 }, (_, index) => index)
  const [lastPart] = cuts.flatMap((index) => wordsFor(word.slice(index + minRest)))
  const [firstPart] = cuts.toReversed().flatMap((index) => wordsFor(word.slice(0, index + minPart)))
  return [firstPart, lastPart].filter((each) => each !== undefined)
}

/** A line with the English words for those that are known, in their places; undefined if it has none. */
export const inEnglish = (line: string, language: Language): string | undefined => {
  if (isEnglish(line, language)) return undefined
  const english = line.replace(/[\p{L}][\p{L}'-]*/gu, (word) => {
    const translations = translateWord(language, word)
    return translations.length === 0 ? word : translations.join(" ")
  })
  return english === line ? undefined : english
}

const translated = new Set(dictionary.split(/, ?/).map((entry) => stemWord(entry.split("=")[0] ?? "")))

/** Whether an English word is found in texts of the other languages too. */
export const isTranslated = (word: string): boolean => translated.has(stemWord(word))
