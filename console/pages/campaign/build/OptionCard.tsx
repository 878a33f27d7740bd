// console/pages/campaign/build/OptionCard.tsx: an option as a card to choose, and to put in other words.
import { useState } from "preact/hooks"
import { Schema } from "effect"
import type { AssetOption } from "#schema/Assets.ts"
import { TextInput } from "#console/parts/Fields.tsx"

export const OptionWords = Schema.Struct({ name: Schema.String, description: Schema.String })
export type OptionWords = typeof OptionWords.Type

interface Props {
  readonly option: AssetOption
  readonly words: OptionWords
  readonly checked: boolean
  readonly issues: { readonly name: string | undefined; readonly description: string | undefined }
  readonly onPick: (checked: boolean) => void
  readonly onWords: (words: OptionWords) => void
}

export const OptionCard = ({ checked, issues, onPick, onWords, option, words }: Props) => {
  const [editing, setEditing] = useState(false)
  const edited = words.name !== option.name || words.description !== option.description
  return (
    <li>
      <label class="card">
        <input type="checkbox" checked={checked} onChange={(event) => onPick(event.currentTarget.checked)} />
        <span class="card-text">
          <span class="strong">{words.name}</span>
          {words.description !== words.name && <span>{words.description}</span>}
          {option.sentence !== undefined && option.sentence !== words.description && (
            <span class="quiet">From your profile: “{option.sentence}”</span>
          )}
          {edited && <span class="quiet">Edited</span>}
        </span>
      </label>
      {checked &&
        (editing || issues.name !== undefined || issues.description !== undefined ? (
          <div class="edit">
            <TextInput
              label="Name"
              value={words.name}
              issue={issues.name}
              onInput={(name) => onWords({ ...words, name })}
              required
            />
            <TextInput
              label="What it says"
              rows={3}
              value={words.description}
              issue={issues.description}
              onInput={(description) => onWords({ ...words, description })}
            />
            <div class="actions">
              <button type="button" class="button" onClick={() => setEditing(false)}>
                Done
              </button>
              {edited && (
                <button type="button" class="link" onClick={() => onWords(option)}>
                  Reset to the original
                </button>
              )}
            </div>
          </div>
        ) : (
          <button type="button" class="link edit-link" onClick={() => setEditing(true)}>
            Edit<span class="unseen"> {words.name}</span>
          </button>
        ))}
    </li>
  )
}
