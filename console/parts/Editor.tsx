// console/parts/Editor.tsx: a text field for an email or a template, with findings marked and variables shown as chips.
import type { Ref } from "preact"
import { useEffect, useId, useImperativeHandle, useLayoutEffect, useRef } from "preact/hooks"
import type { Finding } from "#schema/Findings.ts"
import {
  isRendered,
  markFindings,
  readTemplate,
  selectSpan,
  selectedSpan,
  renderTemplate,
  type Span,
  toSpan
} from "#console/parts/EditorText.ts"
import { useIsLocked } from "#console/parts/RequireScope.tsx"

export interface EditorHandle {
  /** Replaces the selection, or the last selection if the field has lost the focus. */
  readonly insert: (text: string) => void
  /** The part of the template that is selected. */
  readonly selection: () => string
  readonly focus: () => void
}

interface Props {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** Whether it is one line. */
  readonly single?: boolean
  /** Whether variables are shown as template source instead of chips. */
  readonly isPlainText: boolean
  readonly findings: ReadonlyArray<Finding>
  readonly issue: string | undefined
  readonly handle: Ref<EditorHandle>
  readonly onFocus?: () => void
  /** A chip was clicked; it is selected. */
  readonly onChip?: () => void
}

interface HistoryEntry {
  readonly text: string
  readonly caret: number
}

/** Changes that can be undone. */
const maxUndoSteps = 200

/** The undo history of the editor. */
const useHistory = () => {
  const redoStack = useRef<Array<HistoryEntry>>([])
  const undoStack = useRef<Array<HistoryEntry>>([])
  const kind = useRef("")
  const move = (from: Array<HistoryEntry>, to: Array<HistoryEntry>, now: HistoryEntry) => {
    const next = from.pop()
    if (next !== undefined) to.push(now)
    kind.current = ""
    return next
  }
  return {
    /** Records the state before a change. Consecutive letters are one change. */
    record: (before: HistoryEntry, change: string) => {
      redoStack.current = []
      if (change !== "letter" || kind.current !== "letter")
        undoStack.current = [...undoStack.current.slice(1 - maxUndoSteps), before]
      kind.current = change
    },
    undo: (now: HistoryEntry) => move(undoStack.current, redoStack.current, now),
    redo: (now: HistoryEntry) => move(redoStack.current, undoStack.current, now)
  }
}

const insertedText = (event: InputEvent) => event.data ?? event.dataTransfer?.getData("text/plain") ?? ""

/** The text that an input inserts; undefined if plain text cannot represent it. */
const typedText = (event: InputEvent, single: boolean): string | undefined => {
  const { inputType } = event
  if (inputType === "insertParagraph" || inputType === "insertLineBreak") return single ? undefined : "\n"
  if (inputType === "insertText" || inputType === "insertReplacementText") return insertedText(event)
  return /^delete(?!ByDrag)/.test(inputType) ? "" : undefined
}

const plainText = (text: string, single: boolean) => {
  const lines = text.replace(/\r\n?/g, "\n").replaceAll("\u00a0", " ")
  return single ? lines.replace(/\s*\n\s*/g, " ") : lines
}

/** The span that an input replaces: the selection, or for a deletion at the caret what the browser would delete. */
const spanOfInput = (root: HTMLElement, event: InputEvent, span: Span): Span => {
  if (span.start !== span.end && event.inputType !== "insertReplacementText") return span
  const [range] = event.getTargetRanges()
  return range !== undefined && event.inputType !== "insertText" ? toSpan(root, range) : span
}

/** Applies every edit here instead of letting the browser change the element. */
const useEditing = ({ onInput, isPlainText, single = false, value }: Props) => {
  const root = useRef<HTMLDivElement>(null)
  const last = useRef<Span>({ start: value.length, end: value.length })
  // Several inputs may come before the page is rendered again.
  const currentText = useRef(value)
  currentText.current = value
  const { record, redo, undo } = useHistory()
  const setText = (text: string, caret: number) => {
    if (root.current === null) return
    renderTemplate(root.current, text, isPlainText)
    last.current = { start: caret, end: caret }
    selectSpan(root.current, last.current)
    currentText.current = text
    onInput(text)
  }
  const replace = ({ end, start }: Span, text: string, change: string) => {
    const before = currentText.current
    record({ text: before, caret: end }, change)
    setText(before.slice(0, start) + text + before.slice(end), start + text.length)
  }
  const restore = (step: typeof undo) => {
    const moment = step({ text: currentText.current, caret: last.current.end })
    if (moment !== undefined) setText(moment.text, moment.caret)
  }
  const onBeforeInput = (event: InputEvent) => {
    const span = root.current && selectedSpan(root.current)
    // An input method changes the element while it composes. The text is read when composition ends.
    if (root.current === null || span === null || span === undefined || event.isComposing) return
    event.preventDefault()
    if (event.inputType === "historyUndo") return restore(undo)
    if (event.inputType === "historyRedo") return restore(redo)
    const text = typedText(event, single)
    if (text !== undefined)
      replace(spanOfInput(root.current, event, span), text, /^\S$/.test(text) ? "letter" : "other")
  }
  const syncFromElement = () => {
    if (root.current === null) return
    const text = plainText(readTemplate(root.current), single)
    if (text === currentText.current) return
    record({ text: currentText.current, caret: last.current.end }, "other")
    const span = selectedSpan(root.current)
    currentText.current = text
    if (isRendered(root.current, text, isPlainText)) onInput(text)
    else setText(text, span?.end ?? text.length)
  }
  return {
    root,
    last,
    replace,
    onBeforeInput,
    onComposed: syncFromElement,
    undo: () => restore(undo),
    redo: () => restore(redo)
  }
}

/** Handlers for the clipboard, undo keys, selection and chips. Typing is handled by `useEditing`. */
const useEditorEvents = (
  { onChip, single = false, value }: Props,
  { last, redo, replace, root, undo }: ReturnType<typeof useEditing>
) => {
  const noteSelection = () => {
    const at = root.current && selectedSpan(root.current)
    if (at) last.current = at
    return at
  }
  const onCopy = (event: ClipboardEvent) => {
    const at = noteSelection()
    if (!at || at.start === at.end) return
    event.preventDefault()
    event.clipboardData?.setData("text/plain", value.slice(at.start, at.end))
    if (event.type === "cut") replace(at, "", "other")
  }
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    const at = noteSelection()
    if (at) replace(at, plainText(event.clipboardData?.getData("text/plain") ?? "", single), "other")
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return
    event.preventDefault()
    if (event.shiftKey) redo()
    else undo()
  }
  /** Selects the chip that was clicked. */
  const onClick = (event: MouseEvent) => {
    const chip = event.target instanceof Element ? event.target.closest(".chip") : null
    if (root.current === null || chip === null) return
    const range = document.createRange()
    range.selectNode(chip)
    last.current = toSpan(root.current, range)
    selectSpan(root.current, last.current)
    onChip?.()
  }
  return {
    onClick,
    onCopy,
    onCut: onCopy,
    onKeyDown,
    onPaste,
    onKeyUp: noteSelection,
    onMouseUp: noteSelection,
    onBlur: noteSelection
  }
}

export const Editor = (props: Props) => {
  const { findings, handle, issue, label, onFocus, isPlainText, single = false, value } = props
  const id = useId()
  const isLocked = useIsLocked()
  const editing = useEditing(props)
  const { last, onBeforeInput, onComposed, replace, root } = editing
  const handlers = useEditorEvents(props, editing)
  useLayoutEffect(() => {
    if (root.current === null || (readTemplate(root.current) === value && isRendered(root.current, value, isPlainText)))
      return
    const span = document.activeElement === root.current ? selectedSpan(root.current) : undefined
    renderTemplate(root.current, value, isPlainText)
    if (span) selectSpan(root.current, span)
  }, [value, isPlainText])
  useEffect(
    () => (root.current === null ? undefined : markFindings(root.current, findings)),
    [findings, value, isPlainText]
  )
  useImperativeHandle(
    handle,
    () => ({
      insert: (text) => {
        root.current?.focus()
        replace(last.current, text, "other")
      },
      selection: () => value.slice(last.current.start, last.current.end),
      focus: () => root.current?.focus()
    }),
    [value, isPlainText]
  )
  return (
    <div class={`field editor${issue ? " wrong" : ""}`}>
      <span class="label" id={`${id}-label`}>
        {label}
      </span>
      <div
        ref={root}
        role="textbox"
        tabIndex={0}
        contentEditable={!isLocked}
        aria-readonly={isLocked ? true : undefined}
        spellcheck
        aria-multiline={!single}
        aria-labelledby={`${id}-label`}
        aria-invalid={issue === undefined ? undefined : true}
        aria-describedby={issue === undefined ? undefined : `${id}-issue`}
        class={single ? "editable single" : "editable"}
        onBeforeInput={onBeforeInput}
        onInput={onComposed}
        onCompositionEnd={onComposed}
        onFocus={onFocus}
        onDrop={(event) => event.preventDefault()}
        {...handlers}
      />
      {issue && (
        <p class="issue" id={`${id}-issue`}>
          {label}: {issue}
        </p>
      )}
    </div>
  )
}
