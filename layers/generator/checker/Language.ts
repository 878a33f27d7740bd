// layers/generator/checker/Language.ts: checks whether an email is in English, as a whole and by sentence.
import { franc } from "franc-min"
import {
  type EmailText,
  findingAt,
  findingOnWhole,
  placeOf,
  quoteShort,
  type Sentence
} from "#layers/generator/checker/EmailText.ts"
import { wordSet, wordTokens } from "#layers/text/Words.ts"
import type { Finding } from "#schema/Findings.ts"

const englishFunctionWords = wordSet(
  "the to a an of and in is it you your that for on we i if this with or be are as at from what who can not there they so when " +
    "but by would one how does do before after every into our us me my have has no out up it's you're that's isn't don't i'll"
)
const detectedLanguages = "eng deu fra spa nld ita por pol swe dan nob fin tur ces ron hun".split(" ")

/** Frequent German, French, Spanish, Italian, Dutch and Polish words; those that English texts or names have too are in `ambiguousWords`. */
const foreignWords = wordSet(
  "der das und ist nicht mit wir sie ihr ihre ihren ihrem ihnen ihrer unser unsere unseren ein eine einen einem einer für von dem den auf ich sich auch wie wenn oder aber zum zur beim über nach noch keine kein wird werden haben sind wurde können möchten gerne bitte vielen dank freundlichen grüßen bis bei aus festpreis angebot anfrage rechnung termin kunden preis tage tagen wochen pro-jahr jahre schnell kostenlos innerhalb " +
    "le les des une est pas nous vous votre vos notre nos avec dans sur qui que sont être avez avons pour mais ou cette ces aux plus chez merci bonjour cordialement prix devis délai livraison gratuit jours semaines clients-fidèles votre-équipe facture sans très c'est qu'il d'une l'entreprise fixe dossier demande " +
    "el los las una es para por con su sus nuestro nuestra nuestros usted ustedes más pero como está son tiene tienen hola gracias saludos precio fijo oferta pedido entrega días semanas empresa factura sin cuando muy también solicitud " +
    "il lo gli dello della delle degli nel nella sono è per-favore che con-noi vostro vostra vostri nostro nostra suo sua prezzo fisso offerta consegna giorni settimane grazie buongiorno saluti azienda fattura senza anche più perché pratica " +
    "het een van voor wij uw onze ons ook niet bij naar wordt zijn hebben heeft deze dit aan maar prijs vaste offerte aanvraag levering dagen weken bedrijf factuur zonder graag groet groeten bedankt jullie klanten binnen gratis-proef per-stuk " +
    "nie się jest dla państwa oraz przez czy już tylko jak lub aby cena stała oferta zamówienie dostawa dni tygodni faktura bez dziękuję pozdrawiam zgłoszenie naszych nasze firma"
)
// Words that also occur in English texts, in names or as words.
const ambiguousWords = wordSet(
  "le les des el los las lo il der den van con con-noi una es per firma fixe dossier sans gratis son sur pour plus bis dem mit aux demand como oferta sin dni das is dit ons per-stuk bez"
)

const foreignLetters = /[ąćęłńśźżßüöäåøæœñãõèêàùìò]/

/** Shorter sentences have too few letters for `franc`, which compares them by trigrams. */
const minWordsToDetect = 7

/** Whether a sentence is in another language: it has function words of one and almost none of English. */
const isForeignSentence = ({ normalizedText }: Sentence, senderText: string): boolean => {
  // Words with capitals are often names: "Møller", "Malmö".
  const candidateWords = wordTokens(normalizedText).filter(
    (word, index) => index === 0 || /^\p{Ll}/u.test(word) || foreignWords.has(word.toLowerCase())
  )
  const lowerWords = wordTokens(normalizedText.toLowerCase())
  if (lowerWords.length < 2) return false
  const englishCount = lowerWords.filter((word) => englishFunctionWords.has(word)).length
  const foreignMarks = candidateWords
    .map((word, index) => ({ word: word.toLowerCase(), startsCapitalized: index === 0 && /^\p{Lu}/u.test(word) }))
    .filter(
      ({ startsCapitalized, word }) => foreignWords.has(word) || (!startsCapitalized && foreignLetters.test(word))
    )
    .map(({ word }) => word)
    // In a sentence of a few words, the sender's own words are more likely a name than a sentence.
    .filter((word) => !(senderText.includes(word) && lowerWords.length < 5))
  const unambiguousCount = foreignMarks.filter((word) => !ambiguousWords.has(word)).length
  // One foreign word among English ones may be a name or a quotation.
  if (unambiguousCount >= 2) {
    // A quotation in an English sentence leaves more than a quarter of English function words. Some of these exist in
    // other languages too ("in", "is", "on"), so a foreign sentence may have a few.
    const isMostlyForeign = foreignMarks.length / lowerWords.length >= 0.2 && englishCount / lowerWords.length < 0.25
    if (isMostlyForeign) return true
  }
  if (unambiguousCount === 0 || englishCount > 0) return false
  // Without an English function word, a second mark may be ambiguous, or be replaced by the detected language.
  return (
    foreignMarks.length >= 2 ||
    (lowerWords.length >= minWordsToDetect && franc(normalizedText, { only: detectedLanguages }) !== "eng")
  )
}

/** Shorter texts have too few words for a share of them to tell the language. */
const minWordsOfText = 8
/** With a smaller share, the English function words are only those that other languages have too, such as "in". */
const maxForeignShare = 0.06
/** With a larger share, the text is English, whatever `franc` detects. */
const maxDetectedShare = 0.2

/** Fails an email with hardly any English function words, or with few and another detected language; else each foreign sentence. */
export const languageFindings = (email: EmailText, senderText: string): ReadonlyArray<Finding> => {
  const text = email.sentences.map(({ normalizedText }) => normalizedText).join(" ")
  const words = wordTokens(text.toLowerCase())
  const englishShare = words.filter((word) => englishFunctionWords.has(word)).length / words.length
  if (words.length >= minWordsOfText) {
    const isForeign =
      englishShare < maxForeignShare ||
      (englishShare < maxDetectedShare && franc(text, { only: detectedLanguages }) !== "eng")
    if (isForeign)
      return [findingOnWhole("body", "language", "fail", "The email is not in English. Write it in English.")]
  }
  return [email.subjectSentence, ...email.sentences]
    .filter((sentence) => isForeignSentence(sentence, senderText))
    .map((sentence) =>
      findingAt(
        placeOf(sentence),
        "language",
        "fail",
        sentence,
        `${quoteShort(sentence.text)} is not in English. Write it in English.`
      )
    )
}
