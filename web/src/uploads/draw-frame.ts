// Loaded with the first video that is uploaded.

/** Black at the very beginning is common; a frame of a second later is mostly one of what the video shows. */
const AT_S = 1
/** The server makes a smaller one of it. */
const LONGEST_SIDE = 800
const TYPE = 'image/jpeg'
/** A frame is shown this long after it was found, at the latest: of 4K and 5K the one before is there for a while. */
const LATE_MS = 800
const QUALITY = 0.85

/**
 * Draws a frame of a video file: of one second from its beginning, or of the middle of a shorter one. Null where this browser cannot
 * play the file, or the signal ends it.
 */
export async function drawFrame(file: Blob, signal: AbortSignal): Promise<Blob | null> {
  const address = URL.createObjectURL(file)
  try {
    return await drawAt(address, AT_S, signal)
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** The same of the video at an address, of another second. */
export async function drawAt(address: string, seconds: number, signal: AbortSignal): Promise<Blob | null> {
  const video = document.createElement('video')
  try {
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    const known = heard(video, 'loadeddata', signal)
    video.src = address
    await known
    const { duration } = video
    const there = heard(video, 'seeked', signal)
    // Of a file that does not say how long it is, the beginning.
    const wanted = Number.isFinite(duration) ? latest(seconds, duration) : 0
    const seen = shown(video, wanted)
    video.currentTime = wanted
    await there
    await Promise.race([seen, pause(LATE_MS)])
    return await draw(video)
  } catch {
    return null
  } finally {
    video.removeAttribute('src')
    // Lets go of the file and its decoder.
    video.load()
  }
}

/** Of a video that is shorter, its middle. Behind its last frame there is none. */
const latest = (seconds: number, duration: number) => (seconds < duration ? seconds : duration / 2)

/** That the frame of a moment is on the video. Never of one that has no other than its first, and in a window out of sight. */
function shown(video: HTMLVideoElement, wanted: number): Promise<void> {
  return new Promise((resolve) => {
    // Not in every browser.
    const next = () =>
      video.requestVideoFrameCallback?.((_, { mediaTime }) => (mediaTime >= wanted / 2 ? resolve() : next()))
    next()
  })
}

const pause = (ms: number) => new Promise<void>((resolve) => window.setTimeout(resolve, ms))

function heard(video: HTMLVideoElement, event: 'loadeddata' | 'seeked', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(video.error), { once: true })
  })
}

/** Null of a file without a picture, such as sound alone. */
function draw(video: HTMLVideoElement): Promise<Blob | null> {
  const { videoWidth: width, videoHeight: height } = video
  if (width === 0 || height === 0) return Promise.resolve(null)
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, TYPE, QUALITY))
}
