import type { MediaFacts } from '#contract'

export interface Rendition {
  key: string
  facts: MediaFacts
}
