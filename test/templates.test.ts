// test/templates.test.ts: what a template may contain, what it renders to, and that lead data is never evaluated.
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import {
  type EmailTemplate,
  escapeLiquid,
  plainText,
  templateProblems,
  render
} from "#layers/generator/playbook/LiquidTemplate.ts"
import { type Variables, templateVariables } from "#layers/generator/playbook/TemplateVariables.ts"
import type { Lead } from "#schema/Lead.ts"

const sender = { name: "Priya Raman", title: "Co-founder", company: "Boomerly" }
const variablesWithEmailOnly: Variables = { email: "ida@north.example", custom: {} }

const inBody = (body: string): EmailTemplate => ({ subject: "Returned stock", body })

/** The rendered body, or the field and message of the failure. */
const body = (source: string, variables: Variables): string =>
  Result.match(render(inBody(source), variables), {
    onFailure: ({ field, message }) => `${field}: ${message}`,
    onSuccess: (email) => email.body
  })

const refusedTemplates: ReadonlyArray<readonly [template: string, line: number, column: number, message: RegExp]> = [
  ["Hi {{ first_name }}", 1, 4, /"first_name" may be missing.*default/],
  ["Hi,\n\nIs {{ company | upcase }} open?", 3, 4, /"company" may be missing/],
  ["{{ company | default: first_name }}", 1, 1, /"first_name" may be missing/],
  ["{% if title %}{{ company }}{% endif %}", 1, 15, /"company" may be missing/],
  ["{% if company %}a{% else %}{{ company }}{% endif %}", 1, 28, /"company" may be missing/],
  ["{% unless company %}{{ company }}{% endunless %}", 1, 21, /"company" may be missing/],
  ["{% if company or title %}{{ company }}{% endif %}", 1, 26, /"company" may be missing/],
  ["{% if company == title %}{{ company }}{% endif %}", 1, 26, /"company" may be missing/],
  ["{% if company != 'Acme' %}{{ company }}{% endif %}", 1, 27, /"company" may be missing/],
  ["{% if company != empty %}{{ company }}{% endif %}", 1, 26, /"company" may be missing/],
  ["{% if company | default: 'a' %}{{ company }}{% endif %}", 1, 32, /"company" may be missing/],
  ["{% if 'undefined' contains company %}{{ company }}{% endif %}", 1, 38, /"company" may be missing/],
  ["{% case custom.a %}{% when nil %}{{ custom.a }}{% endcase %}", 1, 34, /"custom.a" may be missing/],
  ["{% case custom.a %}{% when 'b' %}b{% else %}{{ custom.a }}{% endcase %}", 1, 45, /"custom.a" may be missing/],
  ["{% if company %}a{% endif %}\n{{ company }}", 2, 1, /"company" may be missing/],
  ["Hi\n{{ frist_name }}", 2, 4, /Unknown variable "frist_name"/],
  ["{{ custom }}", 1, 4, /Unknown variable "custom"/],
  ["{{ custom['notes'] | default: 'a' }}", 1, 4, /Unknown variable/],
  ["{{ custom.Notes | default: 'a' }}", 1, 4, /Unknown variable "custom.Notes"/],
  ["{{ custom.a.b | default: 'a' }}", 1, 4, /Unknown variable "custom.a.b"/],
  ["{{ company.size | default: 'a' }}", 1, 4, /Unknown variable "company.size"/],
  ["{{ email.constructor }}", 1, 4, /Unknown variable/],
  ["{% if lead %}a{% endif %}", 1, 7, /Unknown variable "lead"/],
  ["{{ email | append: 'a' }}", 1, 12, /Unknown filter "append"/],
  ["{{ email | default }}", 1, 12, /takes one argument/],
  ["{{ company | default: nil }}", 1, 14, /takes only variables, numbers and text/],
  ["{{ company | default: empty }}", 1, 14, /takes only variables, numbers and text/],
  ["{{ email | upcase: 'a' }}", 1, 12, /takes no argument/],
  ["{{ email | truncatewords: title }}", 1, 12, /only numbers and text/],
  ["{{ email | default: 'a', allow_false: true }}", 1, 12, /takes one argument/],
  ["{{ (1..100000000) | default: 'a' }}", 1, 4, /instead of "\(1\.\.100000000\)"/],
  ["{{ first name }}", 1, 4, /one variable at a time/],
  ["{{ nil }}", 1, 4, /cannot be printed/],
  ["{{ }}", 1, 4, /Syntax error/],
  ["{{{ email }}}", 1, 3, /Syntax error/],
  ["Hi\n  {{ email", 2, 3, /"\{\{" is not closed/],
  ["Hi\n {% if email", 2, 2, /"\{%" is not closed/],
  ["email }} a", 1, 7, /"\}\}" has no opening "\{\{"/],
  ["if email %} a", 1, 10, /"%\}" has no opening "\{%"/],
  ["\n{% if email %}a", 2, 1, /"if" is not closed with "endif"/],
  ["a{% endif %}", 1, 2, /"endif" closes nothing/],
  ["{% if email %}a{% endunless %}", 1, 16, /"endunless" stands where "endif"/],
  ["{% if %}a{% endif %}", 1, 6, /Syntax error/],
  ["{% if email and %}a{% endif %}", 1, 13, /missing before or after "and"/],
  ["{% if email 'a' %}a{% endif %}", 1, 7, /Join two conditions/],
  ["{% if email == 'a %}a{% endif %}", 1, 16, /quotation mark is missing/],
  ["{% if email %}a{% else if title %}b{% endif %}", 1, 16, /Use "elsif"/],
  ["{% if email %}a{% else %}b{% elsif title %}c{% endif %}", 1, 27, /"elsif" comes after "else"/],
  ["{% else %}", 1, 1, /"else" is not inside "if"/],
  ["{% when 'a' %}", 1, 1, /"when" is not inside "case"/],
  ["{% case email %}a{% when 'a' %}b{% endcase %}", 1, 17, /never used/],
  ["{% case email %}{% endcase %}", 1, 1, /"case" has no "when"/],
  ["{% case email %}{% when title %}b{% endcase %}", 1, 25, /Compare with a text/],
  ["{% for i in email %}", 1, 1, /Unknown tag "for"/],
  ["{% assign a = 1 %}", 1, 1, /Unknown tag "assign"/],
  ["{% include 'a' %}", 1, 1, /Unknown tag "include"/],
  ["{% render '/etc/passwd' %}", 1, 1, /Unknown tag "render"/],
  ["{% layout 'a' %}", 1, 1, /Unknown tag "layout"/],
  ["{% comment %}", 1, 1, /Unknown tag "comment"/],
  ["{% raw %}{{ a }}", 1, 1, /Unknown tag "raw"/],
  ["{% liquid\nassign a = 1 %}", 1, 1, /Unknown tag "liquid"/],
  ["{% # a %}", 1, 1, /Unknown tag "#"/],
  ["{% if email %}".repeat(9) + "a" + "{% endif %}".repeat(9), 1, 113, /nested more than 8 deep/],
  ["   \n", 1, 1, /is empty/],
  ["a".repeat(10_001), 1, 10_001, /longer than 10000/]
]

const acceptedTemplates: ReadonlyArray<readonly [template: string, withEmailOnly: string, withAll: string]> = [
  ["{% if first_name %}Hi {{ first_name }},{% else %}Hello,{% endif %} a", "Hello, a", "Hi Ida, a"],
  ["{{ company | default: 'your team' }}", "your team", "North Quarry"],
  ["{{ company | upcase | default: 'your team' }}", "your team", "NORTH QUARRY"],
  ["{{ company | default: 'your team' | upcase }}", "YOUR TEAM", "NORTH QUARRY"],
  ["{{ company | default: email | downcase }}", "ida@north.example", "north quarry"],
  ["{{ email }}", "ida@north.example", "ida@north.example"],
  ["a{% if custom.notes and company %} {{ company }}: {{ custom.notes }}{% endif %}", "a", "a North Quarry: 41 sites"],
  ["a{% unless company %}{% else %} {{ company }}{% endunless %}", "a", "a North Quarry"],
  ["{% if company == nil %}none{% else %}{{ company }}{% endif %}", "none", "North Quarry"],
  ["{% if company != blank %}{{ company }}{% else %}none{% endif %}", "none", "North Quarry"],
  ["{% if not company %}none{% else %}{{ company }}{% endif %}", "none", "North Quarry"],
  ["{% if custom.staff > 10 %}{{ custom.staff }}{% else %}few{% endif %}", "few", "40"],
  ["{% if custom.live %}yes{% else %}no{% endif %}", "no", "no"],
  ["{{ custom.live | default: 'no' }}", "no", "no"],
  [
    "{% if title contains 'Manager' %}{{ title | downcase }}{% elsif company %}b{% else %}c{% endif %}",
    "c",
    "maintenance manager"
  ],
  [
    "{% case custom.size %}{% when 'small', 'tiny' or 'mini' %}{{ custom.size }}{% else %}other{% endcase %}",
    "other",
    "small"
  ],
  ["{% if custom.notes %}{{ custom.notes | truncatewords: 1, '' }}{% else %}a{% endif %}", "a", "41"],
  ["{{ custom.first | default: 'a' }}{{ custom.last | default: 'b' }}", "ab", "ab"],
  ["{{ company | truncatewords: 2 | default: 'a' }}", "a", "North Quarry"],
  ["{{ company | truncatewords: 1 | default: 'a' }}", "a", "North..."],
  ["{{ company | truncatewords: -5, '' | default: 'a' }}", "a", "North"],
  ["{{ company | strip | capitalize | default: 'a' }}", "a", "North quarry"],
  ["{{ custom.size | default: 'a' }}", "a", "small"],
  ["{% if custom.live %}a{% elsif company == nil %}b{% else %}{{ company }}{% endif %}", "b", "North Quarry"],
  ["{{ custom.constructor | default: 'a' }}", "a", "a"],
  ["a\n{%- if custom.notes %}\n\nP.S. {{ custom.notes }}\n{%- endif %}", "a", "a\n\nP.S. 41 sites"],
  ["a\n\n{% if custom.notes %}{{ custom.notes }}{% endif %}\n\nb", "a\n\nb", "a\n\n41 sites\n\nb"],
  ["a\r\nb\t c  d \r\n", "a\nb\t c  d", "a\nb\t c  d"],
  ["$1 $& 100% {a} {{ '{{' }} }", "$1 $& 100% {a} {{ }", "$1 $& 100% {a} {{ }"]
]

const allVariables: Variables = templateVariables(
  {
    email: "ida@north.example",
    name: "IDA MOREAU",
    title: "Maintenance Manager",
    company: "NORTH QUARRY LTD",
    custom_fields: { notes: " 41\nsites ", staff: 40, live: false, size: "small", gone: null, blank: " " }
  },
  sender
)

describe("a template", () => {
  it.each(refusedTemplates)("%j is refused", (template, line, column, message) => {
    const [firstProblem] = templateProblems(inBody(template))
    assert.include(firstProblem, { field: "body", line, column })
    assert.match(firstProblem?.message ?? "", message)
  })

  it.each(acceptedTemplates)("%j is rendered", (template, withEmailOnly, withAll) => {
    assert.deepStrictEqual(templateProblems(inBody(template)), [])
    assert.strictEqual(body(template, variablesWithEmailOnly), withEmailOnly)
    assert.strictEqual(body(template, allVariables), withAll)
  })

  it("has a subject of one line, which is not empty or too long", () => {
    const problems = (subject: string) =>
      templateProblems({ subject, body: "a" }).map(({ column, field, line, message }) => [field, line, column, message])
    assert.deepStrictEqual(problems("a\nb"), [["subject", 1, 2, "The subject must be one line."]])
    assert.deepStrictEqual(problems(" "), [["subject", 1, 1, "The subject is empty."]])
    assert.deepStrictEqual(problems("a".repeat(301)), [
      ["subject", 1, 301, "The subject is longer than 300 characters."]
    ])
    assert.deepStrictEqual(problems("a".repeat(300)), [])
  })

  it("reports all of its problems at once, in order", () => {
    const template = { subject: "{{ company }}", body: "{{ nmae }}\n{{ title }} {% oops %}" }
    assert.deepStrictEqual(
      templateProblems(template).map(({ column, field, line }) => [field, line, column]),
      [
        ["subject", 1, 1],
        ["body", 1, 4],
        ["body", 2, 1],
        ["body", 2, 13]
      ]
    )
  })

  it("keeps the whitespace within the subject, and trims its ends", () => {
    const rendered = render(
      { subject: " {% if company %}{{ company }}:  x{% else %} {% endif %} ", body: "a" },
      allVariables
    )
    assert.deepStrictEqual(rendered, Result.succeed({ subject: "North Quarry:  x", body: "a" }))
  })

  it("fails with the field and variable, without the lead's data", () => {
    const missingVariable = render(
      { subject: "a", body: "b\n{{ email }} {{ custom.notes | upcase }}" },
      variablesWithEmailOnly
    )
    assert.deepStrictEqual(
      missingVariable,
      Result.fail({ field: "body", message: '"custom.notes" is missing and has no default (line 2, column 13).' })
    )
    const emptySubject = render({ subject: "{% if company %}a{% endif %}", body: "b" }, variablesWithEmailOnly)
    assert.deepStrictEqual(
      emptySubject,
      Result.fail({ field: "subject", message: "The subject is empty for this lead." })
    )
    const longSubject = render(
      { subject: "{{ custom.a | default: 'a' }}", body: "b" },
      { ...variablesWithEmailOnly, custom: { a: "secret ".repeat(99) } }
    )
    assert.deepStrictEqual(
      longSubject,
      Result.fail({ field: "subject", message: "The subject is longer than 300 characters for this lead." })
    )
    const unknownVariable = render({ subject: "a", body: "{{ oops }}" }, allVariables)
    assert.match(
      Result.isFailure(unknownVariable) ? unknownVariable.failure.message : "",
      /Unknown variable "oops".*line 1, column 4/
    )
  })

  it("becomes plain text with an example for each variable", () => {
    assert.deepStrictEqual(
      plainText({
        subject: "For {{ company | default: 'you' }}",
        body: "{% if first_name %}Hi {{ first_name }},{% else %}Hello,{% endif %}\n\n{{ custom.last_news | default: 'a' }}"
      }),
      { subject: "For Northfield", body: "Hi Alex,\n\nlast news" }
    )
    assert.deepStrictEqual(plainText({ subject: "{{ oops }}", body: "" }), { subject: "{{ oops }}", body: "" })
  })
})

describe("hostile templates", () => {
  const hostileTemplates: ReadonlyArray<readonly [string, string]> = [
    ["deep nesting", "{%if a%}".repeat(1250)],
    ["many blocks", "{%if email%}a{%endif%}".repeat(450)],
    ["many conditions", `{% if ${"email or ".repeat(1000)}email %}a{% endif %}`],
    ["many negations", `{% if ${"not ".repeat(2000)}email %}a{% endif %}`],
    ["many filters", `{{ email${" | upcase".repeat(1000)} }}`],
    ["a huge truncatewords", "{{ email | truncatewords: 99999999999999999999 }}"],
    ["a long ellipsis", `{{ email | truncatewords: 1, "${"a".repeat(9000)}" }}`],
    ["open braces", "{{".repeat(5000)],
    ["open tags", "{%".repeat(5000)],
    ["open quotes", `{{ '${"\\".repeat(9000)}`],
    ["brackets", `{{ custom${"[".repeat(5000)} }}`],
    ["parentheses", `{{ ${"(".repeat(5000)} }}`],
    ["spaces and lines", `a${"\n ".repeat(4000)}b`],
    ["a raw block", `{% raw %}${"{% endraw".repeat(1000)}`]
  ]

  it.each(hostileTemplates)("%s are checked and rendered, or refused", (_, template) => {
    const problems = templateProblems(inBody(template))
    assert.isAtMost(problems.length, 21)
    const rendered = render(inBody(template), allVariables)
    assert.strictEqual(Result.isSuccess(rendered), problems.length === 0)
  })

  it("cannot render more text than an email may have", () => {
    const template = inBody("{{ custom.a | default: 'a' }} ".repeat(300))
    assert.deepStrictEqual(templateProblems(template), [])
    assert.deepStrictEqual(
      render(template, { ...variablesWithEmailOnly, custom: { a: "a".repeat(2000) } }),
      Result.fail({ field: "body", message: "The body is longer than 20000 characters for this lead." })
    )
  })

  it("cannot use more memory than their limit", () => {
    const template = inBody(`{{ custom.a | default: 'a'${" | upcase".repeat(900)} }}`)
    assert.deepStrictEqual(templateProblems(template), [])
    assert.deepStrictEqual(
      render(template, { ...variablesWithEmailOnly, custom: { a: "a".repeat(2000) } }),
      Result.fail({ field: "body", message: "The body takes too long or too much memory to render." })
    )
  })

  it("are parsed in large numbers", () => {
    for (let index = 0; index < 3000; index++) {
      const rendered = body(`${"a ".repeat(500)}{{ email }} ${index}`, variablesWithEmailOnly)
      if (index % 500 === 0) assert.isTrue(rendered.endsWith(`ida@north.example ${index}`))
    }
  })
})

const fieldText = Arbitrary.array(
  Arbitrary.schema(
    Schema.Union([
      Schema.Literals(["{{ email }}", "{{", "}}", "{%", "%}", "{% if %}", "{", "}", "{% raw %}", "{{ '", "| upcase"]),
      Schema.Literals([
        " ",
        "\n",
        "\r\n",
        "\t",
        "\u2028",
        "\u0000",
        "\u202e",
        "$&",
        "Acme",
        "Ida",
        "Ltd",
        "42",
        "é",
        "🚀",
        "\ud83d",
        "\\"
      ]),
      Schema.String
    ])
  ),
  { maxLength: 6 }
).pipe(Arbitrary.map((pieces) => pieces.join("")))

const textOrNone = Arbitrary.flatMap(Arbitrary.schema(Schema.Literals(["", "Acme", "any"])), (value) =>
  value === "any" ? fieldText : Arbitrary.Constant(value)
)

const anyVariables: Arbitrary.Arbitrary<Variables> = Arbitrary.all({
  first_name: textOrNone,
  title: textOrNone,
  company: textOrNone,
  a: textOrNone,
  b: Arbitrary.schema(Schema.Union([Schema.Finite, Schema.Boolean, Schema.Literals(["", "Acme"])]))
}).pipe(
  Arbitrary.map(({ a, b, company, first_name, title }) => ({
    first_name,
    title,
    company,
    email: "ida@north.example",
    custom: { a, b }
  }))
)

const condition = Schema.Literals([
  "first_name",
  "company and custom.a",
  "company or custom.a",
  "not company",
  "company == nil",
  "nil != company",
  "custom.a == 'Acme'",
  "custom.b > 3",
  "custom.b == false",
  "custom.b == custom.a",
  "company contains 'A' or title",
  "company != blank and title == empty",
  "not custom.b and company",
  "custom.a != 'x'",
  "oops"
])
const templatePart = Schema.Union([
  Schema.Struct({ text: Schema.Literals(["a ", "\n\n", "\n", " {", "%", "Hi,"]) }),
  Schema.Struct({
    prints: Schema.Literals(["first_name", "company", "title", "email", "custom.a", "custom.b"]),
    filter: Schema.Literals([
      "",
      "",
      "",
      " | upcase",
      " | default: 'x'",
      " | capitalize | default: email",
      " | default: title"
    ])
  }),
  Schema.Struct({ opens: Schema.Literals(["if", "unless"]), condition }),
  Schema.Struct({ elsif: condition }),
  Schema.Struct({ is: Schema.Literals(["else", "end"]) })
])

/** Templates that are mostly valid: each end tag closes the open block, and blocks that are still open are closed at the end. */
const anyTemplate = Arbitrary.array(Arbitrary.schema(templatePart), { maxLength: 14 }).pipe(
  Arbitrary.map((templateParts) => {
    const openBlocks: Array<string> = []
    const texts = templateParts.map((part) => {
      if ("text" in part) return part.text
      if ("prints" in part) return `{{ ${part.prints}${part.filter} }}`
      if ("opens" in part) {
        openBlocks.push(part.opens)
        return `{% ${part.opens} ${part.condition} %}`
      }
      if (openBlocks.length === 0) return ""
      if ("elsif" in part) return `{% elsif ${part.elsif} %}`
      return part.is === "else" ? "{% else %}" : `{% end${openBlocks.pop() ?? ""} %}`
    })
    return `a${texts.join("")}${openBlocks
      .toReversed()
      .map((name) => `{% end${name} %}`)
      .join("")}`
  })
)

const withoutControls = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, " ")
    .trim()

describe("rendering", () => {
  let rendered = 0
  it.prop(
    "an accepted template never fails for a missing value, whatever the lead has",
    [anyTemplate, anyVariables],
    ([template, variables]) => {
      const result = render(inBody(template), variables)
      if (templateProblems(inBody(template)).length > 0) return
      rendered++
      assert.isTrue(Result.isSuccess(result), `${template} ${JSON.stringify(result)}`)
    },
    { arbitrary: { runs: 1500 } }
  )

  it("has been tested with hundreds of accepted templates", () => assert.isAbove(rendered, 300))

  it.prop(
    "a value is printed on one line, and never evaluated as a template",
    [fieldText],
    ([value]) => {
      const expected = withoutControls(value)
      const variables = { ...variablesWithEmailOnly, company: value, custom: { a: value } }
      const template = "<{{ company | default: 'none' }}|{{ custom.a | default: 'none' }}>"
      const shown = expected === "" ? "none" : expected
      assert.strictEqual(body(template, variables), `<${shown}|${shown}>`)
      assert.notInclude(shown, "\n")
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "literal text renders to itself, also between braces and variables",
    [fieldText],
    ([text]) => {
      const normalized = text.replace(/\r\n?/g, "\n").replace(/\n(?:[ \t]*\n){2,}/g, "\n\n")
      assert.strictEqual(body(`<${escapeLiquid(text)}>`, variablesWithEmailOnly), `<${normalized}>`)
      const template = `<${escapeLiquid(text)}{{ email }}${escapeLiquid(text)}{% if email %}${escapeLiquid("{")}{% endif %}>`
      assert.deepStrictEqual(templateProblems(inBody(template)), [])
      assert.strictEqual(body(template, variablesWithEmailOnly), `<${normalized}ida@north.example${normalized}{>`)
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "any text is checked, rendered and turned into plain text without an exception",
    [fieldText, fieldText, anyVariables],
    ([subject, text, variables]) => {
      const template = { subject, body: text }
      templateProblems(template)
      plainText(template)
      const result = render(template, variables)
      if (Result.isSuccess(result)) assert.notMatch(result.success.subject, /[\r\n]/)
    },
    { arbitrary: { runs: 1000 } }
  )
})

describe("the variables of a lead", () => {
  it("include a competitor that is the value of a column, unless the lead left it", () => {
    const competitorIn = (custom_fields: Readonly<Record<string, string>>) =>
      templateVariables(
        { email: "ida@north.example", custom_fields },
        { ...sender, competitors: ["Halden", "Oru Soft"] }
      ).competitor
    assert.strictEqual(competitorIn({ current_supplier: " halden" }), "Halden")
    assert.strictEqual(competitorIn({ tool: "Oru Soft" }), "Oru Soft")
    for (const fields of [{ former_supplier: "Halden" }, { news: "Left Halden in May" }, { supplier: "none" }])
      assert.isUndefined(competitorIn(fields))
  })

  it("are cleaned, and absent if the lead has no value", () => {
    assert.deepStrictEqual(allVariables, {
      first_name: "Ida",
      last_name: "Moreau",
      full_name: "Ida Moreau",
      title: "Maintenance Manager",
      company: "North Quarry",
      email: "ida@north.example",
      sender_name: "Priya Raman",
      sender_title: "Co-founder",
      sender_company: "Boomerly",
      competitor: undefined,
      custom: { notes: "41\nsites", staff: 40, live: false, size: "small" }
    })
    const emptyLead: Lead = { email: "a@b.example", name: null, title: " ", company: "null", custom_fields: null }
    assert.deepStrictEqual(templateVariables(emptyLead, { name: "", title: " ", company: null }), {
      first_name: undefined,
      last_name: undefined,
      full_name: undefined,
      title: undefined,
      company: undefined,
      email: "a@b.example",
      sender_name: undefined,
      sender_title: undefined,
      sender_company: undefined,
      competitor: undefined,
      custom: {}
    })
  })

  it("that are templates themselves are not evaluated", () => {
    const lead: Lead = {
      email: "a@b.example",
      name: "{{ email }}",
      title: "{% if email %}",
      company: "{{ email }}",
      custom_fields: { notes: "{{ email }}{% if %}" }
    }
    const template =
      "{{ company | default: 'no company' }} {{ custom.notes | default: 'no notes' }} {{ title | default: 'no title' }}"
    assert.strictEqual(body(template, templateVariables(lead, sender)), "no company {{ email }}{% if %} no title")
  })
})

describe("emails to the leads of a real list", () => {
  const greeting = "{% if first_name %}Hi {{ first_name }},{% else %}Hello,{% endif %}"
  const template: EmailTemplate = {
    subject: "{% if company %}Returns at {{ company }}{% else %}Returns on Shopify{% endif %}",
    body:
      `${greeting}\n\nHow long is a return on its way{% if company %} at {{ company }}{% endif %}?\n` +
      "{%- if custom.notes and company %}\n\nP.S. About {{ company }} I noted: {{ custom.notes }}.\n{%- endif %}\n"
  }
  const renderedParts = (lead: Lead) => {
    assert.deepStrictEqual(templateProblems(template), [])
    const { body, subject } = Result.getOrThrow(render(template, templateVariables(lead, sender)))
    return [subject, ...body.split("\n\n")]
  }

  it("in capitals, with a legal form", () => {
    const lead = { email: "tom@peakthread.example", name: "TOM HARGREAVES", company: "PEAK THREAD APPAREL INC." }
    assert.deepStrictEqual(renderedParts(lead), [
      "Returns at Peak Thread Apparel",
      "Hi Tom,",
      "How long is a return on its way at Peak Thread Apparel?"
    ])
  })

  it("with a note, and a company with a remark in brackets", () => {
    const lead = {
      email: "laura@summitdso.example",
      name: "Laura Mitchell",
      company: "Summit Dental Partners (DSO)",
      custom_fields: { notes: "41 locations\nin Kansas" }
    }
    assert.deepStrictEqual(
      renderedParts(lead).at(-1),
      "P.S. About Summit Dental Partners I noted: 41 locations in Kansas."
    )
  })

  it("with a title for a first name, or emoji, or no name and no company", () => {
    assert.strictEqual(renderedParts({ email: "huang@huangdds.example", name: "Dr. Huang" })[1], "Hello,")
    assert.strictEqual(renderedParts({ email: "ben@kicklab.example", name: "Ben 🚀 Ashworth" })[1], "Hi Ben,")
    assert.deepStrictEqual(renderedParts({ email: "info@fjordwool.example", custom_fields: { notes: "wool" } }), [
      "Returns on Shopify",
      "Hello,",
      "How long is a return on its way?"
    ])
  })
})
