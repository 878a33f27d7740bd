// console/VirtualRows.ts: renders only the rows of a long list that are in the window.
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks"
import {
  defaultRangeExtractor,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll
} from "@tanstack/virtual-core"

interface Options {
  readonly count: number
  /** The height of a row before it is measured, in pixels. */
  readonly estimate: number
  /** The element that holds the rows. */
  readonly body: { readonly current: HTMLElement | null }
  /** A row that stays on the page wherever the window is, because it has the focus. */
  readonly pinned: number | undefined
}

export const useVirtualRows = ({ body, count, estimate, pinned }: Options) => {
  const [, render] = useReducer((renders: number) => renders + 1, 0)
  const [margin, setMargin] = useState(0)
  const options: VirtualizerOptions<Window, HTMLElement> = {
    count,
    estimateSize: () => estimate,
    overscan: 8,
    scrollMargin: margin,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: () => scrollY,
    onChange: () => render(undefined),
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range)
      if (pinned === undefined || pinned >= count || rows.includes(pinned)) return rows
      return [...rows, pinned].toSorted((a, b) => a - b)
    }
  }
  const virtualizerRef = useRef<Virtualizer<Window, HTMLElement>>(undefined)
  virtualizerRef.current ??= new Virtualizer(options)
  const virtualizer = virtualizerRef.current
  virtualizer.setOptions(options)
  useEffect(() => virtualizer._didMount(), [])
  useLayoutEffect(() => {
    virtualizer._willUpdate()
    // The content above the rows changes height, so the offset is measured after every render.
    const top = Math.round((body.current?.getBoundingClientRect().top ?? 0) + scrollY)
    if (top !== margin) setMargin(top)
  })
  return { virtualizer, margin }
}
