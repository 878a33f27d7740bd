// layers/generator/builtin/english/Roles.ts: what each role is left with when something goes wrong, and what that costs it.
import type { RoleWording } from "#layers/generator/builtin/english/Wording.ts"
import type { Role } from "#layers/generator/Roles.ts"

export const roleWording: Readonly<Record<Role, RoleWording>> = {
  logistics: {
    area: "logistics",
    known: "from logistics",
    team: "logistics team",
    burdens: [
      "it's your logistics team that has to sort it out",
      "you're the one in logistics who gets asked why",
      "your logistics team loses hours it needs for shipments",
      "it lands on your desk on top of the day's shipments",
      "the questions come to logistics long before you've got an answer",
      "your team spends the morning on it and the goods have to wait",
      "the carrier has an answer and your logistics team has the work",
      "you explain a delay that nobody in logistics caused",
      "the day's shipments wait and your phone doesn't"
    ],
    costs: [
      "it comes out of your logistics budget",
      "you pay for it twice, once in money and once in your team's hours",
      "it's your budget that takes the hit",
      "you find out after the money has left logistics",
      "the cost lands in logistics, where you have to explain it"
    ]
  },
  finance: {
    area: "finance",
    known: "from finance",
    team: "finance team",
    burdens: [
      "it's your finance team that has to explain the gap",
      "you're the one who has to explain it upstairs",
      "your month end takes longer than it should",
      "the surprise turns up in your books",
      "you can't trust the forecast the way you'd like",
      "finance finds out last and you're asked first",
      "finance spends the last days of the month on it",
      "you sign off figures you'd rather check again",
      "the question comes from the board and the answer isn't in your books"
    ],
    costs: [
      "it shows up in your numbers sooner or later",
      "it goes out of the door before finance sees it",
      "your budget takes a hit nobody planned for",
      "you see it in the books when it's too late to act",
      "you find it in a budget that never planned for it"
    ]
  },
  operations: {
    area: "operations",
    known: "from operations",
    team: "operations team",
    burdens: [
      "it's your operations team that has to work around it",
      "you're the one who has to move the schedule",
      "your day goes into putting it right",
      "operations ends up doing the job twice",
      "you spend the shift on the fix instead of the plan",
      "the plan you made doesn't last the week",
      "your operations team finds out when it's in the way",
      "you're moving people around before the shift has begun",
      "it's tomorrow's schedule that has to give"
    ],
    costs: [
      "you pay for the same work twice",
      "it eats into the output you've promised",
      "operations carries the cost, even if it started elsewhere",
      "your running costs creep up and nobody can say why",
      "the hours come straight out of your schedule"
    ]
  },
  purchasing: {
    area: "purchasing",
    known: "from purchasing",
    team: "purchasing team",
    burdens: [
      "you're the one who has to take it up with the supplier",
      "the deal you fought for isn't the deal you get",
      "your purchasing team is back on the phone",
      "you lose time you'd rather put into the next contract",
      "it weakens your hand in the next round with suppliers",
      "purchasing gets the questions long before you've got an answer",
      "you've got a contract that says one thing and a bill that says another",
      "your buyers spend the morning on a supplier's mistake",
      "the price you agreed is no longer the price you pay"
    ],
    costs: [
      "you pay more than the price you agreed",
      "it eats the savings you've made on other contracts",
      "it ends up in your spend, with your name on it",
      "your purchasing budget covers what it never planned for",
      "you pay for it long before the next contract comes up"
    ]
  },
  owner: {
    area: "the business",
    known: "from running a business",
    team: "team",
    burdens: [
      "it ends up on your desk, like most things in the business",
      "it's the business that carries it, and you with it",
      "you're pulled back into work you've hired others to do",
      "your team can't get to the work that grows the company",
      "you hear about it last, when it's hardest to fix",
      "it's one more thing the company needs you for",
      "you're the last to know and the first to pay",
      "it's your evening that goes into it",
      "you end up doing a job the business pays others for"
    ],
    costs: [
      "it comes straight out of your margin",
      "the business pays for it, month after month",
      "it's your profit that covers it in the end",
      "you don't see it in one bill, but the company pays it all the same",
      "the money's gone before you've had a say in it"
    ]
  },
  sales: {
    area: "sales",
    known: "from sales",
    team: "sales team",
    burdens: [
      "your sales team has less time to sell",
      "you're the one who has to calm the customer",
      "the deal you were counting on slips into next quarter",
      "sales ends up explaining what it didn't cause",
      "your people spend the day on it instead of on customers",
      "you lose the hour that the next deal needed",
      "your customer hears it before your sales team does",
      "the promise you made a customer gets hard to keep",
      "your next call starts with an apology"
    ],
    costs: [
      "it comes out of the quarter you've forecast",
      "the revenue you'd counted on moves out",
      "you lose deals you never hear about again",
      "it's your pipeline that pays for it",
      "your sales numbers carry it"
    ]
  },
  marketing: {
    area: "marketing",
    known: "from marketing",
    team: "marketing team",
    burdens: [
      "your marketing team ends up working around it",
      "you're the one who has to explain the numbers",
      "the campaign you planned starts late",
      "it takes your team off the work that brings customers in",
      "marketing gets the question long before you've got an answer",
      "you lose days you'd set aside for the next campaign",
      "the brand takes the blame and marketing takes the call",
      "your team explains instead of planning",
      "you're asked for numbers that aren't there yet"
    ],
    costs: [
      "it comes out of your marketing budget",
      "you pay for it and have nothing to show",
      "your campaign money works less hard than it could",
      "the budget you fought for goes into fixes",
      "it's the marketing numbers that suffer"
    ]
  },
  it: {
    area: "IT",
    known: "from IT",
    team: "IT team",
    burdens: [
      "it's your IT team that gets the ticket",
      "you're the one who's called when it breaks",
      "your team spends the week on support instead of on systems",
      "the workaround becomes one more thing you have to support",
      "your backlog grows by one more ticket",
      "you end up owning a problem that IT didn't make",
      "it's another ticket before your IT team has had coffee",
      "your systems get the blame and you get the call",
      "IT is asked to fix a thing it never bought"
    ],
    costs: [
      "it comes out of your support hours",
      "you pay for it in tickets, week after week",
      "it's your systems budget that covers the fix",
      "your team's time goes into it, and that's the dearest thing you've got",
      "you pay for tools that don't solve it"
    ]
  },
  hr: {
    area: "HR",
    known: "from HR",
    team: "HR team",
    burdens: [
      "it's your people who feel it first",
      "you're the one in HR who hears about it",
      "your HR team has to patch it up",
      "good people get tired of it and you have to hire again",
      "you lose time you'd rather give to your people",
      "HR gets the complaint and you're left to fix the cause",
      "your people talk about it before you've heard of it",
      "HR is asked to calm what it didn't start",
      "it's the staff you'd most like to keep who mind it most"
    ],
    costs: [
      "you pay for it in staff hours",
      "it's one more reason for good people to leave",
      "it comes out of your people budget",
      "hiring again costs you more than fixing it would have",
      "you'll see it in turnover before you see it in a report"
    ]
  },
  legal: {
    area: "legal",
    known: "from legal work",
    team: "legal team",
    burdens: [
      "you're the one who has to carry the risk",
      "it's your legal team that gets the call",
      "you see the matter when it's already late",
      "your team spends its hours on repair instead of on advice",
      "the care you took at the start counts for little",
      "legal is asked to fix what it never saw",
      "the file lands on your desk with a date on it",
      "legal reads about it when there's little left to choose",
      "you're asked for an opinion and what's missing is the paper"
    ],
    costs: [
      "the risk ends up with you",
      "you pay in outside counsel what care would've saved",
      "it's your legal budget that covers it",
      "the matter costs you more each month it stays open",
      "you settle what you'd rather have prevented"
    ]
  },
  maintenance: {
    area: "maintenance",
    known: "from maintenance",
    team: "maintenance team",
    burdens: [
      "it's your maintenance crew that gets called out",
      "you're the one who has to get the plant running again",
      "your planned repairs have to wait",
      "the shift stops and everyone looks at maintenance",
      "you spend the week on breakdowns instead of on the plan",
      "your crew is fixing the same equipment again",
      "your crew drops the job it had planned",
      "the plant waits and so does everyone who needs it",
      "maintenance gets the call at the worst hour of the shift"
    ],
    costs: [
      "you pay for the downtime as well as the repair",
      "it comes out of your maintenance budget",
      "the plant loses hours you can't make up",
      "each repair costs you more than the plan would have",
      "your repair budget is gone before the year is"
    ]
  },
  education: {
    area: "school life",
    known: "from school life",
    team: "school team",
    burdens: [
      "your staff give up time they need for pupils",
      "you're the one parents call",
      "the school office spends the morning on it",
      "it takes your teachers away from lessons",
      "it lands with you and the school day's already full",
      "your team does it after hours, once the pupils have gone",
      "the school office hears about it from parents first",
      "it's a lesson that gets cut short",
      "your staff sort it out in the hour they'd kept for pupils"
    ],
    costs: [
      "it comes out of a school budget that's tight enough",
      "you pay for it in staff hours",
      "it costs your school time it can't buy back",
      "your teachers pay for it with their evenings",
      "the money's gone before your pupils see any of it"
    ]
  },
  health: {
    area: "the practice",
    known: "from the practice",
    team: "practice team",
    burdens: [
      "it's your practice team that has to explain it to patients",
      "you're the one who runs late for the rest of the day",
      "your patients wait and your team feels it",
      "the day at the practice is off before it's begun",
      "your team loses time it needs for patients",
      "you end up sorting it out between patients",
      "the waiting room fills up and your team can't say why",
      "a patient hears about it before you do",
      "it's your practice team that stays late"
    ],
    costs: [
      "the practice pays for it in empty chairs",
      "it comes out of what the practice earns",
      "you pay for it in patient time",
      "your practice carries the cost, week after week",
      "it's money that won't go into patient care"
    ]
  },
  other: {
    area: "your line of work",
    known: "from your own work",
    team: "team",
    burdens: [
      "it's your team that has to put it right",
      "somebody on your side has to drop what they're doing",
      "the hours come out of your week",
      "you only hear about it when it's late to act",
      "your team works around it and hopes for the best",
      "it's on you and your team to sort it out",
      "it's your afternoon that goes into it",
      "you're asked why, and nobody's told you yet",
      "your team fixes it and nobody writes it down"
    ],
    costs: [
      "your company pays for it in the end",
      "it costs you more than it looks at first",
      "you pay for it in hours, if not in money",
      "it adds up and you don't see it on any one bill",
      "the cost ends up with your team"
    ]
  }
}
