import type { OpenBlob } from './simulation.ts'

/** What a simulator learns of a video by reading it. */
export interface MeasuredVideo {
  /** `video/mp4` or `video/quicktime`. */
  mimeType: string
  seconds: number
  /** As shown, in pixels. */
  width: number
  height: number
  /** `avc`, `hevc`, …; null when it is not known it. */
  videoCodec: string | null
  /** Null without sound. */
  audioCodec: string | null
}

/** Measures an MP4 or QuickTime file as the networks' servers do; null for what they would fail at as well. */
export async function measureVideo(file: Buffer | OpenBlob | undefined): Promise<MeasuredVideo | null> {
  if (!file) return null
  const { BufferSource, CustomSource, Input, MP4, QTFF } = await import('mediabunny')
  const source = Buffer.isBuffer(file)
    ? new BufferSource(new Uint8Array(file))
    : new CustomSource({ getSize: () => file.bytes, read: file.read, prefetchProfile: 'fileSystem' })
  const input = new Input({ formats: [MP4, QTFF], source })
  try {
    const [format, video, audio] = await Promise.all([
      input.getFormat(),
      input.getPrimaryVideoTrack(),
      input.getPrimaryAudioTrack(),
    ])
    if (!video) return null
    return {
      mimeType: format === QTFF ? 'video/quicktime' : 'video/mp4',
      seconds: await input.computeDuration(),
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      videoCodec: await video.getCodec(),
      audioCodec: audio ? ((await audio.getCodec()) ?? 'unknown') : null,
    }
  } catch {
    return null
  }
}
