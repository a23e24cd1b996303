import type { MediaFacts } from '#contract'
import type { Finding, Limit } from '../network.ts'

/** Measured rates are averages: a phone's 24 may come out as 23.2, and film has 23.976. */
const FRAME_RATE_TOLERANCE = 1

/** Edges of what can be measured of a file. Every number is a limit of the manifest. */
interface Bounds {
  minBytes?: Limit
  maxBytes?: Limit
  minWidth?: Limit
  maxWidth?: Limit
  minHeight?: Limit
  maxHeight?: Limit
  /** Width by height. */
  minRatio?: Limit
  maxRatio?: Limit
  minSeconds?: Limit
  maxSeconds?: Limit
  /** Frames per second. What is close outside is a warning. */
  minFrameRate?: Limit
  maxFrameRate?: Limit
  /** Bits per second. */
  maxBitRate?: Limit
}

/** What a network asks of a file, as far as it is not fitted on the way. */
export interface FileRules extends Bounds {
  /** Begins sentences: `Instagram`. */
  network: string
  /** Begins sentences too: `A reel`, `An image`. */
  what: string
  /** Types of files that are taken, `video/mp4`. Absent: whatever it is. */
  mimeTypes?: readonly string[]
  /** `avc`, `hevc`. Absent: whatever it is. */
  videoCodecs?: readonly string[]
  audioCodecs?: readonly string[]
  /** How the formats are called: `MP4 or MOV with H.264 and AAC`. */
  formats?: string
  /** Edges whose other side is a warning. `says`: what becomes of a file by its pixels; default, and of all else: `may be refused`. */
  advised?: Bounds & { says?: string }
}

interface Measure {
  min?: keyof Bounds
  max: keyof Bounds
  code: Finding['code']
  /** Null for what the file does not have. */
  of(facts: MediaFacts): number | null
  /** Behind `must` and `should`, by the edge that is broken. */
  words(edge: 'min' | 'max', limit: number): string
  shown(actual: number, facts: MediaFacts): string
  advice: { min: string; max: string }
  /** So much beyond an edge is within it. */
  tolerance?(limit: number): number
}

const rounded = (value: number) => Math.round(value * 100) / 100
const megabytes = (bytes: number, round: (value: number) => number) => `${round(bytes / 1e5) / 10} MB`
const atLeast = (edge: 'min' | 'max') => (edge === 'min' ? 'at least' : 'at most')
const pixels = (side: 'width' | 'height', min: keyof Bounds, max: keyof Bounds): Measure => ({
  min,
  max,
  code: 'post:media_dimensions',
  of: (facts) => facts[side],
  words: (edge, limit) => `have ${atLeast(edge)} ${limit} pixels in ${side}`,
  shown: String,
  advice: { min: 'Use a larger one.', max: 'Export it smaller.' },
})

const MEASURES: readonly Measure[] = [
  {
    min: 'minBytes',
    max: 'maxBytes',
    code: 'post:media_size',
    of: ({ bytes }) => bytes,
    words: (edge, limit) => `have ${atLeast(edge)} ${edge === 'min' ? `${limit} bytes` : megabytes(limit, Math.floor)}`,
    shown: (actual) => (actual < 1e6 ? `${actual} bytes` : megabytes(actual, Math.ceil)),
    advice: { min: 'Use a larger or finer one.', max: 'Export it smaller.' },
  },
  pixels('width', 'minWidth', 'maxWidth'),
  pixels('height', 'minHeight', 'maxHeight'),
  {
    min: 'minRatio',
    max: 'maxRatio',
    code: 'post:media_ratio',
    of: ({ width, height }) => width / height,
    words: (edge, limit) => `be ${atLeast(edge)} ${rounded(limit)}:1`,
    shown: (actual, { width, height }) => `${width}x${height} (${rounded(actual)}:1)`,
    advice: { min: 'Crop it.', max: 'Crop it.' },
    // Ratios are rounded by every program that makes images: 1200x628, which people are told to make, is 1.9108.
    tolerance: (limit) => Math.min(0.005, limit / 100),
  },
  {
    min: 'minSeconds',
    max: 'maxSeconds',
    code: 'post:media_duration',
    of: ({ durationMs }) => (durationMs === null ? null : durationMs / 1000),
    words: (edge, limit) => `last ${atLeast(edge)} ${limit} seconds`,
    shown: (actual) => String(rounded(actual)),
    advice: { min: 'Use a longer one.', max: 'Cut it.' },
  },
  {
    min: 'minFrameRate',
    max: 'maxFrameRate',
    code: 'post:media_codec',
    of: ({ frameRate }) => frameRate,
    words: (edge, limit) => `have ${atLeast(edge)} ${limit} frames per second`,
    shown: (actual) => String(rounded(actual)),
    advice: { min: 'Export it again.', max: 'Export it again.' },
  },
  {
    max: 'maxBitRate',
    code: 'post:media_codec',
    of: ({ bytes, durationMs }) => (durationMs ? Math.round((bytes * 8000) / durationMs) : null),
    words: (_, limit) => `have at most ${limit / 1e6} megabits per second`,
    shown: (actual) => String(rounded(actual / 1e6)),
    advice: { min: 'Export it again.', max: 'Export it again.' },
  },
]

/** What a network would refuse of a file, each with both numbers and what to do. */
export function checkFile(facts: MediaFacts, steps: Finding['steps'], rules: FileRules): Finding[] {
  const { advised } = rules
  const findings = checkFormat(facts, steps, rules)
  const reported = new Set<Finding['code']>()
  for (const [bounds, must, isAdvice] of [
    [rules, 'must', false],
    [advised ?? {}, 'should', true],
  ] as const) {
    for (const measure of MEASURES) {
      const broken = brokenEdge(facts, measure, bounds)
      // One warning of a kind says enough, and none beside a refusal.
      if (!broken || (isAdvice && measure.code !== 'post:media_codec' && reported.has(measure.code))) continue
      reported.add(measure.code)
      const { edge, limit, actual } = broken
      const isClose = measure.max === 'maxFrameRate' && Math.abs(actual - limit) <= FRAME_RATE_TOLERANCE
      const warning = isAdvice || isClose
      const words = `${rules.what} on ${rules.network} ${warning ? 'should' : must} ${measure.words(edge, limit)}; this one has ${measure.shown(actual, facts)}`
      const message = warning
        ? `${words} and ${(measure.code === 'post:media_dimensions' && advised?.says) || 'may be refused'}.`
        : `${words}. ${measure.advice[edge]}`
      const numbers = { limit, actual: measure.code === 'post:media_duration' ? actual : rounded(actual) }
      findings.push({ code: measure.code, steps, ...numbers, message, ...(warning ? { warning } : {}) })
    }
  }
  return findings
}

function brokenEdge(facts: MediaFacts, measure: Measure, bounds: Bounds) {
  const actual = measure.of(facts)
  if (actual === null) return null
  const { tolerance = () => 0 } = measure
  const min = measure.min && bounds[measure.min]
  const max = bounds[measure.max]
  if (min && actual < min.value - tolerance(min.value)) return { edge: 'min', limit: min.value, actual } as const
  if (max && actual > max.value + tolerance(max.value)) return { edge: 'max', limit: max.value, actual } as const
  return null
}

function checkFormat(facts: MediaFacts, steps: Finding['steps'], rules: FileRules): Finding[] {
  const { mimeType, videoCodec, audioCodec } = facts
  const wrong = [
    rules.mimeTypes && !rules.mimeTypes.includes(mimeType) ? mimeType : null,
    rules.videoCodecs && videoCodec !== null && !rules.videoCodecs.includes(videoCodec) ? videoCodec : null,
    rules.audioCodecs && audioCodec !== null && !rules.audioCodecs.includes(audioCodec) ? audioCodec : null,
  ].filter((each) => each !== null)
  if (wrong.length === 0) return []
  const known =
    rules.formats ?? [rules.mimeTypes, rules.videoCodecs, rules.audioCodecs].flat().filter(Boolean).join(', ')
  const message = `${rules.what} on ${rules.network} must be ${known}; this one is ${wrong.join(', ')}. Export it again.`
  return [{ code: facts.type === 'VIDEO' ? 'post:media_codec' : 'post:media_type', steps, message }]
}
