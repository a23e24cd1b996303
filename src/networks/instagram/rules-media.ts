import type { MediaFacts } from '#contract'
import type { CheckedMedia, Finding, Limit } from '../network.ts'
import { codePoints } from '../toolkit/text.ts'
import type { PostType } from './fields.ts'
import { limits } from './manifest.ts'

/** Ratios are rounded by every program that makes images: 1200x628, which people are told to make, is 1.9108. */
const RATIO_TOLERANCE = 0.005

/** What a type asks of a video. */
interface VideoLimits {
  what: string
  bytes: Limit
  minSeconds: Limit
  maxSeconds: Limit
  minRatio: Limit
  maxRatio: Limit
}

const reel: VideoLimits = {
  what: 'A reel',
  bytes: limits.reelBytes,
  minSeconds: limits.reelMinSeconds,
  maxSeconds: limits.reelMaxSeconds,
  minRatio: limits.reelMinRatio,
  maxRatio: limits.reelMaxRatio,
}
const story: VideoLimits = {
  what: 'A story',
  bytes: limits.storyBytes,
  minSeconds: limits.storyMinSeconds,
  maxSeconds: limits.storyMaxSeconds,
  minRatio: limits.storyMinRatio,
  maxRatio: limits.storyMaxRatio,
}

/** One media item by itself. Format and size of images are not looked at: they are fitted on the way. */
export function checkMedia(media: CheckedMedia, index: number, type: PostType): Finding[] {
  const { facts } = media
  const steps = ['media', index]
  if (facts.type === 'IMAGE') return [...checkImage(facts, steps, type), ...checkAltText(media, steps, type)]
  if (type === 'CAROUSEL') return checkVideo(facts, steps, { ...reel, what: 'A video in a carousel' }, type)
  return checkVideo(facts, steps, type === 'STORY' ? story : reel, type)
}

function checkImage(facts: MediaFacts, steps: Finding['steps'], type: PostType): Finding[] {
  const findings: Finding[] = []
  const ratio = facts.width / facts.height
  const [min, max] = [limits.imageMinRatio.value, limits.imageMaxRatio.value]
  // Stories are shown as they are, with bars where something is missing.
  if (type !== 'STORY' && (ratio < min - RATIO_TOLERANCE || ratio > max + RATIO_TOLERANCE)) {
    findings.push({
      code: 'post:media_ratio',
      steps,
      limit: ratio < min ? min : max,
      actual: rounded(ratio),
      message: `Instagram takes images between 3:4 (0.75:1) and 1.91:1; this one is ${facts.width}x${facts.height} (${rounded(ratio)}:1). Crop it.`,
    })
  } else if (type !== 'STORY' && ratio < limits.imageAdvisedMinRatio.value - RATIO_TOLERANCE) {
    findings.push({
      code: 'post:media_ratio',
      steps,
      limit: limits.imageAdvisedMinRatio.value,
      actual: rounded(ratio),
      message: `The image is ${facts.width}x${facts.height} (${rounded(ratio)}:1). Instagram promises to take images from 4:5 (0.8:1) on; it may refuse this one.`,
      warning: true,
    })
  }
  const minWidth = limits.imageMinWidth.value
  if (facts.width < minWidth) {
    findings.push({
      code: 'post:media_dimensions',
      steps,
      limit: minWidth,
      actual: facts.width,
      message: `The image is ${facts.width} pixels wide; Instagram enlarges what is narrower than ${minWidth}, which looks coarse.`,
      warning: true,
    })
  }
  if (facts.animated) {
    const message = 'Instagram shows no animated images; the first picture is sent. Use a video to keep the motion.'
    findings.push({ code: 'post:media_type', steps, message, warning: true })
  }
  return findings
}

function checkAltText({ altText }: CheckedMedia, steps: Finding['steps'], type: PostType): Finding[] {
  const limit = limits.altTextLength.value
  const actual = codePoints(altText ?? '')
  if (type === 'STORY' || actual <= limit) return []
  const message = `Instagram takes alternative texts of at most ${limit} characters; this one has ${actual}. Shorten it by ${actual - limit}.`
  return [{ code: 'post:field_too_long', steps: [...steps, 'altText'], limit, actual, message }]
}

function checkVideo(facts: MediaFacts, steps: Finding['steps'], video: VideoLimits, type: PostType): Finding[] {
  const { what } = video
  const findings: Finding[] = [...checkCodecs(facts, steps)]
  const ratio = facts.width / facts.height
  const seconds = facts.durationMs === null ? null : facts.durationMs / 1000
  const bitRate = seconds ? Math.round((facts.bytes * 8) / seconds) : 0

  if (facts.bytes > video.bytes.value) {
    findings.push({
      code: 'post:media_size',
      steps,
      limit: video.bytes.value,
      actual: facts.bytes,
      message: `${what} on Instagram may have ${video.bytes.value / 1e6} MB; this file has ${Math.ceil(facts.bytes / 1e5) / 10} MB. Export it smaller.`,
    })
  }
  const [min, max] = [video.minSeconds.value, video.maxSeconds.value]
  if (seconds !== null && (seconds < min || seconds > max)) {
    findings.push({
      code: 'post:media_duration',
      steps,
      limit: seconds < min ? min : max,
      actual: seconds,
      message: `${what} on Instagram lasts ${min} to ${max} seconds; this video has ${rounded(seconds)}. Cut it.`,
    })
  } else if (type === 'CAROUSEL' && seconds !== null && seconds > limits.carouselVideoSeconds.value) {
    const advised = limits.carouselVideoSeconds.value
    findings.push({
      code: 'post:media_duration',
      steps,
      limit: advised,
      actual: seconds,
      message: `The video lasts ${rounded(seconds)} seconds. Instagram may refuse more than ${advised} in a carousel.`,
      warning: true,
    })
  }
  if (ratio < video.minRatio.value || ratio > video.maxRatio.value) {
    findings.push({
      code: 'post:media_ratio',
      steps,
      limit: ratio < video.minRatio.value ? video.minRatio.value : video.maxRatio.value,
      actual: rounded(ratio),
      message: `${what} on Instagram is between ${video.minRatio.value}:1 and ${video.maxRatio.value}:1; this video is ${facts.width}x${facts.height}. Crop it, 9:16 is best.`,
    })
  }
  if (facts.width > limits.videoMaxWidth.value) {
    findings.push({
      code: 'post:media_dimensions',
      steps,
      limit: limits.videoMaxWidth.value,
      actual: facts.width,
      message: `Instagram takes videos of at most ${limits.videoMaxWidth.value} pixels in width; this one has ${facts.width}. Export it smaller.`,
    })
  }
  const { videoMinFrameRate: slowest, videoMaxFrameRate: fastest } = limits
  // Measured rates are averages: a phone's 24 may come out as 22.8.
  if (facts.frameRate !== null && (facts.frameRate < slowest.value || facts.frameRate > fastest.value)) {
    findings.push({
      code: 'post:media_codec',
      steps,
      limit: facts.frameRate < slowest.value ? slowest.value : fastest.value,
      actual: rounded(facts.frameRate),
      message: `Instagram asks for ${slowest.value} to ${fastest.value} frames per second; this video has ${rounded(facts.frameRate)} and may be refused.`,
      warning: true,
    })
  }
  if (bitRate > limits.videoBitRate.value) {
    findings.push({
      code: 'post:media_codec',
      steps,
      limit: limits.videoBitRate.value,
      actual: bitRate,
      message: `Instagram asks for at most ${limits.videoBitRate.value / 1e6} megabits per second; this video has ${rounded(bitRate / 1e6)} and may be refused.`,
      warning: true,
    })
  }
  return findings
}

const CONTAINERS: readonly string[] = ['video/mp4', 'video/quicktime']
const VIDEO_CODECS: readonly string[] = ['avc', 'hevc']
const AUDIO_CODECS: readonly string[] = ['aac']

function checkCodecs(facts: MediaFacts, steps: Finding['steps']): Finding[] {
  const { mimeType, videoCodec, audioCodec } = facts
  const wrong = [
    CONTAINERS.includes(mimeType) ? null : mimeType,
    videoCodec === null || VIDEO_CODECS.includes(videoCodec) ? null : videoCodec,
    audioCodec === null || AUDIO_CODECS.includes(audioCodec) ? null : audioCodec,
  ].filter((each) => each !== null)
  if (wrong.length === 0) return []
  const message = `Instagram takes videos as MP4 or MOV with H.264 or HEVC and AAC; this one is ${wrong.join(', ')}. Export it anew.`
  return [{ code: 'post:media_codec', steps, message }]
}

const rounded = (value: number) => Math.round(value * 100) / 100
