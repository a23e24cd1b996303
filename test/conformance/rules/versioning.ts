import type { Rule } from '../conformance.ts'

export const versioningRules: readonly Rule[] = [
  {
    id: 'versions-01',
    rule: 'The version of the API is in the path, as /v1; another version is not there.',
  },
]
