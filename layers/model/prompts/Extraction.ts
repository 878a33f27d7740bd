// layers/model/prompts/Extraction.ts: from a text of a business to the details that it tells.
import { prompt } from "#layers/model/Prompt.ts"
import { Details } from "#schema/Details.ts"

export const extraction = prompt({
  name: "document_extraction",
  version: 1,
  task: `Take down what the text tells of the business that it is about, field by field, in the text's own words so far as they fit. A field that the text does not speak of is null. Add nothing, conclude nothing. Fields: company_name, website_url, city_region, industry_vertical, contact_… and business_address: who and where the business is. primary_goal: what it wants from writing to people. target_job_titles: whom it sells to, by title. ideal_client_urls: sites of good clients. competitors: by name. business_description: what it does. problems_solved, pain_points, solution_triggers (events that make a client look for help), client_transformation, ideal_client_description, competitor_frustrations, unique_differentiators, objections_and_responses, additional_info. core_products: products and services with their price, or an empty price. case_studies: results of clients, one each. credibility_markers, guarantee, lead_magnets (what it gives away): one each.`,
  answer: Details
})
