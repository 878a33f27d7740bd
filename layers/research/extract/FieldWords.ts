// layers/research/extract/FieldWords.ts: the words by which a text shows which detail field it is about.
import { Struct } from "effect"
import { type Field, headingTopic } from "#layers/research/extract/Labels.ts"

/**
 * Words that ask for a field or that its answers have, in the languages of the labels. Each is a regular expression for whole
 * words: `*` stands for any letters, `_` for a space. They order what is shown, and fill nothing.
 */
export const fieldWords = {
  business_description:
    "about mission über_uns activité qui_sommes* quiénes_somos company profile overview unternehmen entreprise empresa we wir nous somos our* what_we what_is is_an? are_an? ist_ein* est_une? es_una? make* build* suppl* provide* sell* rent* repair* service* clean* manufactur* produce* develop* deliver* design* offer* bauen liefern bieten betreu* fabri* livr* propos* hacemos ofrecemos limpiamos vendemos",
  ideal_client_description:
    "customer* client* clientèle kunde* zielgruppe* cible* target* markets? sectors? industries who_for who_is_it* who_it* who_this* who_we* who_calls* who_rings* who_phones* who_buys* who_rents* für_wen für_\\p{L}+ pour_qui para_quién a_quién atendemos trabajamos_* designed_for built_for made_for ideal_for aimed_at sweet_spot sell_to serve work_with work_for supply sold_to leased_to rented_to wir_arbeiten* wir_beliefern nous_travaillons nous_équipons companies firms manufacturers makers hospitals schools hotels restaurants operators farms labs laborator* institutes exporters owners chains offices shops mills plants sites *betriebe *hersteller *unternehmen entreprises fabricants empresas with_\\d+ between_\\d+ from_\\d+ de_\\d+ ab_\\d+ mit_\\d+ \\d+_to_\\d+",
  target_job_titles:
    "who_signs who_buys who_decides who_calls who_rings who_says* decision* decides? signs? talk_to speak_to deal_with buyers? contacts_there contacts_are entscheid* gesprächspartner ansprechpartner_sind interlocuteurs? trato habla décide who_for customers clients kunden cible target fits manager* director* owner* head_of buyer*",
  pain_points:
    "problem* pains? complain* hear* tell_us goes_wrong struggle* duele* problèmes? constats? sorgen frustrations? erzählen racontent seen headaches? familiar too_often too_late too_long too_slow tired costs_an? costs_the costs_you lose lost waste* trouble throw_away late vanish* nobody no_one wait* missing troubles? trop semaines wochen* zu_spät zu_lange niemand retard* demasiad* pierden tarde*",
  problems_solved: "problems? solve* trouble avoids? prevents? no_more",
  unique_differentiators:
    "why different* difference unterscheid* anders warum pourquoi por_qué atouts ventajas stärken vorteile advantages? unlike the_only only_company where_the where_other* instead rather_than no_one_else in-house our_own their_own all_ours same same-day within_\\d+ in_\\d+_(?:h|hours|hrs|days) eigene* contrairement nous-mêmes chez_nous propi[oa]s?",
  case_studies:
    "proof references? referenz* références? results? done case* stor(?:y|ies) example* caso* beispiel* exemple* changed erfolg* performance cuts? reduced saved saves increased grew recovered doubled tripled halved dropped fell raised rose gained avoided lowered improved went moved replaced fewer down earlier faster none_since used_to lost gesenkt sank gespart réduit* économisé* passées? passés? pasó from_\\d+ by_\\d+ de_\\d+ von_\\d+",
  credibility_markers:
    "approved certif* zertifi* accredit* akkredit* memberships? members? mitglied credentials? awards? gründungsjahr beschäftigte staff founded established years_trading compliance proof qualifications? ISO IATF EN_\\d+ SANAS B_Corp licen[cs]ed since_\\d+ seit_\\d+ depuis_\\d+ desde_\\d+ gegründet fondée? fundad[ao] registered_in years_of_experience generation insured employ employees engineers technicians backed_by listed installed mitarbeiter* salariés empleados",
  guarantee:
    "guarante* warrant* promise* our_word garant* versprechen zusage engagement* compromiso refund* money-back money_back is_free are_free waived? credited? we_pay pay_nothing pays_nothing not_pay owe_nothing no_charge no_invoice replaced? redo remake mended kostenlos *setzen gratis halben rembours* offerte? for_free free_of_charge we_credit if_we if_the if_an? if_you if_less unpaid until_it wenn falls sinon sonst sans_frais sin_costo devolvemos entfällt",
  lead_magnets:
    "free gratis gratuit* offert* kostenlos* complimentary no_obligation see_it_first try trial download* télécharg* descargar checklist* checkliste* sample",
  core_products:
    "products? services? costs? prices? pricing rates? fees offers? plans? packages? leistungen produkte tarifs? preise? precios tarifas sell anbieten modules prestations competenc(?:y|ies)",
  competitors:
    "competit* competes? concurren* alternatives? versus vs mitbewerb* wettbewerb* competencia rivals? compared others unlike than against instead_of why_not switched_from",
  competitor_frustrations:
    "competit* concurren* alternatives? mitbewerb* wettbewerb* others elsewhere unlike complaints_we_hear complaints_about",
  objections_and_responses:
    "objections? isn.t_that aren.t_you expensive too_dear cheaper dearer teuer trop_cher caro einwände doubts",
  solution_triggers:
    "triggers? buying_moment they_come_when who_calls when_to_call signs anlässe calls?_us comes?_to_us rings?_us phone_us often_after",
  client_transformation: "before_and_after transformation avant_après from_\\d+.{3,80}_to_\\d+",
  industry_vertical: "branche industry sector category trade secteur"
} as const satisfies Partial<Record<Field, string>>
export type WordedField = keyof typeof fieldWords
export const wordedFields = Struct.keys(fieldWords)

const wordPattern = (words: string) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${words.replaceAll(" ", "|").replaceAll("*", "\\p{L}*").replaceAll("_", " ")})(?![\\p{L}\\p{N}])`,
    "giu"
  )
const wordPatterns = new Map(wordedFields.map((field) => [field, wordPattern(fieldWords[field])]))

/** How many words of a field a text has. */
export const countWords = (field: WordedField, text: string) => text.match(wordPatterns.get(field) ?? /$^/)?.length ?? 0

/** Whether a label or a heading names a field: by its topic, or where it has none, by its words. */
export const namesField = (field: WordedField, text: string): boolean => {
  const topic = text === "" ? "others" : headingTopic(text)
  return topic === undefined ? countWords(field, text) > 0 : topic === field
}
