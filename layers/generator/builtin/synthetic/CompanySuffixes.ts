// layers/generator/builtin/synthetic/CompanySuffixes.ts: the trade in the name of a synthetic company.
import { String } from "effect"
import type { Segment } from "#schema/Audiences.ts"

const companySuffixes: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/hotel|hospitality|resort/i, ["Hotels", "Hotel", "Inns"]],
  [/restaurant|cater|caf[eé]s?\b|bakeri/i, ["Kitchens", "Catering", "Foods"]],
  [/freight|logist|shipping|transport|warehous|haul/i, ["Logistics", "Freight", "Transport"]],
  [/import|export|wholesale|trading|distribut/i, ["Trading", "Imports", "Supply"]],
  [/software|saas|technolog|digital|cloud|\bdata\b/i, ["Software", "Systems", "Digital"]],
  [/dental|dentist/i, ["Dental", "Dental Care"]],
  [/clinic|health|medical|hospital|pharma|care\b/i, ["Health", "Medical", "Care"]],
  [/school|educat|universit|academ|training/i, ["School", "Academy", "College"]],
  [/law\b|legal|solicitor|attorney/i, ["Legal", "Law"]],
  [/account|bookkeep|financ|bank|insur/i, ["Finance", "Advisory", "Accountants"]],
  [/real estate|property|letting|landlord/i, ["Property", "Estates", "Homes"]],
  [/construct|builder|contractor|architect/i, ["Construction", "Building", "Contractors"]],
  [/mine\b|mines\b|mining|quarr|aggregat/i, ["Minerals", "Quarries", "Mining"]],
  [/energy|solar|utilit|water|power/i, ["Energy", "Utilities", "Power"]],
  [/wine|vineyard/i, ["Wines", "Vineyards", "Cellars"]],
  [/farm|agri|dairy|grower|apiar|\bbee/i, ["Farms", "Produce", "Growers"]],
  [/\bgyms?\b|fitness/i, ["Fitness", "Gyms"]],
  [/church|parish|religio/i, ["Church", "Chapel"]],
  [/charit|non-?profit|\bngos?\b|foundation/i, ["Trust", "Foundation"]],
  [/food|beverage|drink|brew/i, ["Foods", "Provisions", "Drinks"]],
  [/retail|shop|store|e-?commerce|fashion/i, ["Retail", "Stores", "Goods"]],
  [/agenc|marketing|media|advertis|design/i, ["Media", "Studio", "Creative"]],
  [
    /manufact|factor|plant|engineer|machin|industr|pump|maker|maschin|mechan/i,
    ["Manufacturing", "Engineering", "Works"]
  ],
  [/recruit|staff|consult|advis|service/i, ["Consulting", "Services", "Advisory"]]
]

const defaultSuffixes = ["Services", "Industries", "Partners"]

/** An industry of one word is used as it is: "Robotics". */
const singleWordIndustry =
  /^(?!(?:any|all|other|various|general|mixed|misc|none|technology|industry|business)$)\p{L}{3,14}$/iu

export const companySuffixesFor = ({ industry_vertical, segment_name }: Segment): ReadonlyArray<string> => {
  const findSuffixes = (text: string) => companySuffixes.find(([pattern]) => pattern.test(text))?.[1]
  const industry = industry_vertical.trim()
  const industrySuffixes =
    findSuffixes(industry) ?? (singleWordIndustry.test(industry) ? [String.capitalize(industry)] : undefined)
  return industrySuffixes ?? findSuffixes(segment_name) ?? defaultSuffixes
}

/** Names of schools and churches have no "Ltd". */
export const isIncorporated = (trade: string): boolean =>
  !/^(?:School|Academy|College|Church|Chapel|Trust|Foundation)$/.test(trade)
