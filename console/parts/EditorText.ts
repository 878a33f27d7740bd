// console/parts/EditorText.ts: maps a template to the nodes of the editor: rendering, offsets, selection and highlights.
import type { Finding } from "#schema/Findings.ts"
import { type Piece, splitTemplate } from "#console/parts/Liquid.ts"

export interface Span {
  readonly start: number
  readonly end: number
}

const nodeSource = (node: Node): string => {
  if (node instanceof HTMLElement && node.dataset["source"] !== undefined) return node.dataset["source"]
  if (node.nodeName === "BR") return node.nextSibling === null ? "" : "\n"
  return node.textContent ?? ""
}

const makeChip = ({ kind = "variable", label = "", source }: Piece) => {
  const chip = document.createElement("span")
  chip.className = `chip ${kind}`
  chip.contentEditable = "false"
  chip.dataset["source"] = source
  chip.title = source
  chip.textContent = label
  return chip
}

/** Reuses unchanged nodes, so that the browser does not spell-check all of them again. */
export const renderTemplate = (root: HTMLElement, template: string, plain: boolean) => {
  const pieces: ReadonlyArray<Piece> = !plain ? splitTemplate(template) : template === "" ? [] : [{ source: template }]
  pieces.forEach((piece, index) => {
    const node = root.childNodes[index]
    if (piece.label === undefined) {
      if (node instanceof Text) {
        if (node.data !== piece.source) node.data = piece.source
      } else root.insertBefore(document.createTextNode(piece.source), node ?? null)
    } else if (!(node instanceof HTMLElement) || node.dataset["source"] !== piece.source) {
      root.insertBefore(makeChip(piece), node ?? null)
    }
  })
  while (root.childNodes.length > pieces.length) root.lastChild?.remove()
  // A final newline, and a caret after a final chip, are visible only if a `br` follows.
  const last = pieces.at(-1)
  if (last === undefined || last.label !== undefined || last.source.endsWith("\n")) {
    root.append(document.createElement("br"))
  }
}

export const readTemplate = (root: HTMLElement) => Array.from(root.childNodes, nodeSource).join("")

/** Whether the element has the chips that `renderTemplate` would create. */
export const isRendered = (root: HTMLElement, template: string, plain: boolean) => {
  const chips = plain ? [] : splitTemplate(template).filter(({ label }) => label !== undefined)
  const shown = Array.from(root.children).filter(({ nodeName }) => nodeName !== "BR")
  return (
    chips.length === shown.length &&
    chips.every(({ source }, index) => shown[index] && nodeSource(shown[index]) === source)
  )
}

const offsetOf = (root: HTMLElement, node: Node, offset: number) => {
  const children = Array.from(root.childNodes)
  const lengthBefore = (index: number) =>
    children.slice(0, index).reduce((sum, child) => sum + nodeSource(child).length, 0)
  if (node === root) return lengthBefore(offset)
  const index = children.findIndex((child) => child.contains(node))
  const child = children[index]
  if (child === undefined) return lengthBefore(children.length)
  if (child === node) return lengthBefore(index) + offset
  return lengthBefore(index) + (offset > 0 ? nodeSource(child).length : 0)
}

/** The node and offset of a position in the text. A position inside a chip moves before or after the chip. */
const nodeAt = (root: HTMLElement, offset: number, side: "before" | "after"): readonly [node: Node, offset: number] => {
  let offsetSoFar = 0
  for (const [index, child] of Array.from(root.childNodes).entries()) {
    const { length } = nodeSource(child)
    if (child instanceof Text && offset <= offsetSoFar + length) return [child, offset - offsetSoFar]
    if (offset <= offsetSoFar) return [root, index]
    if (offset < offsetSoFar + length) return [root, side === "before" ? index : index + 1]
    offsetSoFar += length
  }
  return [root, root.childNodes.length]
}

const rangeOf = (root: HTMLElement, { end, start }: Span) => {
  const range = document.createRange()
  range.setStart(...nodeAt(root, start, start === end ? "after" : "before"))
  range.setEnd(...nodeAt(root, end, "after"))
  return range
}

export const toSpan = (root: HTMLElement, range: AbstractRange): Span => {
  const { endContainer, endOffset, startContainer, startOffset } = range
  return { start: offsetOf(root, startContainer, startOffset), end: offsetOf(root, endContainer, endOffset) }
}

export const selectedSpan = (root: HTMLElement): Span | undefined => {
  const selection = getSelection()
  if (selection === null || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  return root.contains(range.commonAncestorContainer) ? toSpan(root, range) : undefined
}

export const selectSpan = (root: HTMLElement, span: Span) => {
  const selection = getSelection()
  selection?.removeAllRanges()
  selection?.addRange(rangeOf(root, span))
}

const registered = new Map<Finding["severity"], Highlight>()

/** Browsers without highlights show the findings below the text only. */
const highlightOf = (severity: Finding["severity"]) => {
  if (!("highlights" in CSS)) return undefined
  const highlight = registered.get(severity) ?? new Highlight()
  registered.set(severity, highlight)
  CSS.highlights.set(`finding-${severity}`, highlight)
  return highlight
}

/** Highlights the findings in an element. Returns a function that removes the highlights. */
export const markFindings = (root: HTMLElement, findings: ReadonlyArray<Finding>) => {
  const marked = findings.flatMap(({ end, severity, start }) => {
    if (start === null || end === null) return []
    const highlight = highlightOf(severity)
    if (highlight === undefined) return []
    const range = rangeOf(root, { start, end })
    highlight.add(range)
    return [() => highlight.delete(range)]
  })
  return () => marked.forEach((remove) => remove())
}
