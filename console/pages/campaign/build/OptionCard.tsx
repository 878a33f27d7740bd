// console/pages/campaign/build/OptionCard.tsx: an option as a card that can be selected and edited.
import { useState } from "preact/hooks"
import { Schema } from "effect"
import type { AssetOption } from "#schema/Assets.ts"
import { TextInput } from "#console/parts/Fields.tsx"

export const OptionTexts = Schema.Struct({ name: Schema.String, description: Schema.String })
export type OptionTexts = typeof OptionTexts.Type

interface Props {
  readonly option: AssetOption
  readonly texts: OptionTexts
  readonly checked: boolean
  readonly issues: { readonly name: string | undefined; readonly description: string | undefined }
  readonly onSelect: (checked: boolean) => void
  readonly onTextsChange: (words: OptionTexts) => void
}

export const OptionCard = ({ checked, issues, onSelect, onTextsChange, option, texts }: Props) => {
  const [editing, setEditing] = useState(false)
  const edited = texts.name !== option.name || texts.description !== option.description
  return (
    <li>
      <label class="card">
        <input type="checkbox" checked={checked} onChange={(event) => onSelect(event.currentTarget.checked)} />
        <span class="card-text">
          <span class="strong">{texts.name}</span>
          {texts.description !== texts.name && <span>{texts.description}</span>}
          {option.sentence !== undefined && option.sentence !== texts.description && (
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
              value={texts.name}
              issue={issues.name}
              onInput={(name) => onTextsChange({ ...texts, name })}
              required
            />
            <TextInput
              label="What it says"
              rows={3}
              value={texts.description}
              issue={issues.description}
              onInput={(description) => onTextsChange({ ...texts, description })}
            />
            <div class="actions">
              <button type="button" class="button" onClick={() => setEditing(false)}>
                Done
              </button>
              {edited && (
                <button type="button" class="link" onClick={() => onTextsChange(option)}>
                  Reset to the original
                </button>
              )}
            </div>
          </div>
        ) : (
          <button type="button" class="link edit-link" onClick={() => setEditing(true)}>
            Edit<span class="unseen"> {texts.name}</span>
          </button>
        ))}
    </li>
  )
}
