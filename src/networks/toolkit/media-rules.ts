import type { MediaFacts } from '#contract'
import type { Finding, Limit } from '../network.ts'

/** Ratios are rounded by every program that makes images: 1200x628, which people are told to make, is 1.9108. */
const RATIO_TOLERANCE = 0.005

/** Measured rates are averages: a phone's 24 may come out as 23.2, and film has 23.976. */
const FRAME_RATE_TOLERANCE = 1

/** What a network asks of a file, as far as it is not fitted on the way. Every number is a limit of the manifest. */
export interface FileRules {
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
  maxBytes?: Limit
  minWidth?: Limit
  maxWidth?: Limit
  minHeight?: Limit
  maxHeight?: Limit
  /** Width by height. */
  minRatio?: Limit
  maxRatio?: Limit
  /** Seconds. */
  minSeconds?: Limit
  maxSeconds?: Limit
  /** Frames per second. What is close outside is a warning. */
  minFrameRate?: Limit
  maxFrameRate?: Limit
}

/** What a network would refuse of a file, each with both numbers and what to do. */
export function checkFile(facts: MediaFacts, steps: Finding['steps'], rules: FileRules): Finding[] {
  const { network, what } = rules
  const findings = checkFormat(facts, steps, rules)
  const say = (code: Finding['code'], limit: number, actual: number, words: string, advice: string) =>
    findings.push({ code, steps, limit, actual, message: `${what} on ${network} ${words} ${advice}` })

  if (rules.maxBytes && facts.bytes > rules.maxBytes.value) {
    const limit = rules.maxBytes.value
    const words = `may have ${megabytes(limit, Math.floor)} MB; this file has ${megabytes(facts.bytes, Math.ceil)} MB.`
    say('post:media_size', limit, facts.bytes, words, 'Export it smaller.')
  }
  for (const [side, min, max] of [
    ['width', rules.minWidth, rules.maxWidth],
    ['height', rules.minHeight, rules.maxHeight],
  ] as const) {
    const actual = facts[side]
    if (min && actual < min.value) {
      const words = `must have at least ${min.value} pixels in ${side}; this one has ${actual}.`
      say('post:media_dimensions', min.value, actual, words, 'Use a larger one.')
    } else if (max && actual > max.value) {
      const words = `may have at most ${max.value} pixels in ${side}; this one has ${actual}.`
      say('post:media_dimensions', max.value, actual, words, 'Export it smaller.')
    }
  }
  const ratio = facts.width / facts.height
  const broken =
    rules.minRatio && ratio < rules.minRatio.value - RATIO_TOLERANCE
      ? rules.minRatio
      : rules.maxRatio && ratio > rules.maxRatio.value + RATIO_TOLERANCE
        ? rules.maxRatio
        : null
  if (broken) {
    const shown = [rules.minRatio, rules.maxRatio].flatMap((limit) => (limit ? [`${rounded(limit.value)}:1`] : []))
    const range =
      shown.length === 2 && shown[0] === shown[1]
        ? `is ${shown[0]}`
        : shown.length === 2
          ? `is between ${shown.join(' and ')}`
          : `is ${broken === rules.minRatio ? 'at least' : 'at most'} ${shown[0]}`
    const words = `${range}; this one is ${facts.width}x${facts.height} (${rounded(ratio)}:1).`
    say('post:media_ratio', broken.value, rounded(ratio), words, 'Crop it.')
  }
  const seconds = facts.durationMs === null ? null : facts.durationMs / 1000
  if (seconds !== null && rules.minSeconds && seconds < rules.minSeconds.value) {
    const words = `lasts at least ${rules.minSeconds.value} seconds; this video has ${rounded(seconds)}.`
    say('post:media_duration', rules.minSeconds.value, seconds, words, 'Use a longer one.')
  } else if (seconds !== null && rules.maxSeconds && seconds > rules.maxSeconds.value) {
    const words = `lasts at most ${rules.maxSeconds.value} seconds; this video has ${rounded(seconds)}.`
    say('post:media_duration', rules.maxSeconds.value, seconds, words, 'Cut it.')
  }
  findings.push(...checkFrameRate(facts, steps, rules))
  return findings
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
  const message = `${rules.what} on ${rules.network} must be ${known}; this one is ${wrong.join(', ')}. Export it anew.`
  return [{ code: facts.type === 'VIDEO' ? 'post:media_codec' : 'post:media_type', steps, message }]
}

function checkFrameRate({ frameRate }: MediaFacts, steps: Finding['steps'], rules: FileRules): Finding[] {
  const { minFrameRate: slowest, maxFrameRate: fastest, network } = rules
  if (frameRate === null) return []
  const broken = slowest && frameRate < slowest.value ? slowest : fastest && frameRate > fastest.value ? fastest : null
  if (!broken) return []
  const actual = rounded(frameRate)
  const asks = `${network} asks for ${broken === slowest ? 'at least' : 'at most'} ${broken.value} frames per second; this video has ${actual}`
  const finding = { code: 'post:media_codec', steps, limit: broken.value, actual } as const
  const isClose = Math.abs(frameRate - broken.value) <= FRAME_RATE_TOLERANCE
  if (isClose) return [{ ...finding, message: `${asks} and may be refused.`, warning: true }]
  return [{ ...finding, message: `${asks}. Export it anew.` }]
}

const rounded = (value: number) => Math.round(value * 100) / 100
const megabytes = (bytes: number, round: (value: number) => number) => round(bytes / 1e5) / 10
