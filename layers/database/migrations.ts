// layers/database/migrations.ts: the migrations in order. Each runs once, in one transaction, and is never edited after release.
import workspaces from "#layers/database/migrations/0001_workspaces.ts"
import credits from "#layers/database/migrations/0002_credits.ts"
import campaigns from "#layers/database/migrations/0003_campaigns.ts"
import jobs from "#layers/database/migrations/0004_jobs.ts"
import lists from "#layers/database/migrations/0005_lists.ts"
import signatures from "#layers/database/migrations/0006_signatures.ts"
import idempotency from "#layers/database/migrations/0007_idempotency.ts"
import previews from "#layers/database/migrations/0008_previews.ts"
import conversations from "#layers/database/migrations/0009_conversations.ts"
import uploads from "#layers/database/migrations/0010_uploads.ts"
import research from "#layers/database/migrations/0011_research.ts"
import modelCalls from "#layers/database/migrations/0012_model_calls.ts"
import parked from "#layers/database/migrations/0013_parked.ts"
import turns from "#layers/database/migrations/0014_turns.ts"
import files from "#layers/database/migrations/0015_files.ts"
import secrets from "#layers/database/migrations/0016_secrets.ts"
import listFiles from "#layers/database/migrations/0017_list_files.ts"
import shared from "#layers/database/migrations/0018_shared.ts"
import inWork from "#layers/database/migrations/0019_in_work.ts"
import statistics from "#layers/database/migrations/0020_statistics.ts"
import customFields from "#layers/database/migrations/0021_custom_fields.ts"
import playbooks from "#layers/database/migrations/0022_playbooks.ts"
import leadPersonas from "#layers/database/migrations/0023_lead_personas.ts"
import failures from "#layers/database/migrations/0024_failures.ts"
import creditDays from "#layers/database/migrations/0025_credit_days.ts"
import modelConnection from "#layers/database/migrations/0026_model_connection.ts"
import listSources from "#layers/database/migrations/0027_list_sources.ts"
import answers from "#layers/database/migrations/0028_answers.ts"
import optionSentences from "#layers/database/migrations/0029_option_sentences.ts"
import documentProfiles from "#layers/database/migrations/0030_document_profiles.ts"
import importTexts from "#layers/database/migrations/0031_import_texts.ts"
import suppressions from "#layers/database/migrations/0033_suppressions.ts"
import review from "#layers/database/migrations/0034_review.ts"
import webhooks from "#layers/database/migrations/0035_webhooks.ts"
import sessions from "#layers/database/migrations/0036_sessions.ts"
import marks from "#layers/database/migrations/0037_marks.ts"
import uploadNames from "#layers/database/migrations/0038_upload_names.ts"
import suppressedSites from "#layers/database/migrations/0039_suppressed_sites.ts"
import pagesOfLists from "#layers/database/migrations/0040_pages_of_lists.ts"
import exports from "#layers/database/migrations/0041_exports.ts"
import omittedRows from "#layers/database/migrations/0042_omitted_rows.ts"
import omittedNames from "#layers/database/migrations/0043_omitted_names.ts"
import listSums from "#layers/database/migrations/0044_list_sums.ts"
import sharedBriefs from "#layers/database/migrations/0045_shared_briefs.ts"
import leadExports from "#layers/database/migrations/0046_lead_exports.ts"

export const migrations = {
  "0001_workspaces": workspaces,
  "0002_credits": credits,
  "0003_campaigns": campaigns,
  "0004_jobs": jobs,
  "0005_lists": lists,
  "0006_signatures": signatures,
  "0007_idempotency": idempotency,
  "0008_previews": previews,
  "0009_conversations": conversations,
  "0010_uploads": uploads,
  "0011_research": research,
  "0012_model_calls": modelCalls,
  "0013_parked": parked,
  "0014_turns": turns,
  "0015_files": files,
  "0016_secrets": secrets,
  "0017_list_files": listFiles,
  "0018_shared": shared,
  "0019_in_work": inWork,
  "0020_statistics": statistics,
  "0021_custom_fields": customFields,
  "0022_playbooks": playbooks,
  "0023_lead_personas": leadPersonas,
  "0024_failures": failures,
  "0025_credit_days": creditDays,
  "0026_model_connection": modelConnection,
  "0027_list_sources": listSources,
  "0028_answers": answers,
  "0029_option_sentences": optionSentences,
  "0030_document_profiles": documentProfiles,
  "0031_import_texts": importTexts,
  // 0032 was never released.
  "0033_suppressions": suppressions,
  "0034_review": review,
  "0035_webhooks": webhooks,
  "0036_sessions": sessions,
  "0037_marks": marks,
  "0038_upload_names": uploadNames,
  "0039_suppressed_sites": suppressedSites,
  "0040_pages_of_lists": pagesOfLists,
  "0041_exports": exports,
  "0042_omitted_rows": omittedRows,
  "0043_omitted_names": omittedNames,
  "0044_list_sums": listSums,
  "0045_shared_briefs": sharedBriefs,
  "0046_lead_exports": leadExports
}
