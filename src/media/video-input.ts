import {
  CustomSource,
  Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  Mp4InputFormat,
  WEBM,
} from 'mediabunny'
import { outlineOf, type ReadRange } from './video-boxes.ts'

export interface VideoFailure {
  kind: 'failed'
  code: 'media-upload:unsupported_type' | 'media-upload:corrupt'
  message: string
}

interface VideoInput {
  kind: 'ok'
  input: Input
  video: InputVideoTrack
  audio: InputAudioTrack | null
}

/**
 * Any file of boxes: what it is was said by `sniff`, and mediabunny asks for a brand in front of everything else. The parser itself
 * needs none.
 */
class AnyBoxes extends Mp4InputFormat {
  async _canReadInput(): Promise<boolean> {
    return true
  }
}

/** Opens a video: its picture and, if it has one, its sound. */
export async function openVideo(read: ReadRange, bytes: number): Promise<VideoInput | VideoFailure> {
  const outline = await outlineOf(read, bytes)
  if (outline === 'endsEarly') return damaged('its end is missing')
  if (outline === 'tooMany') return damaged('it consists of too many parts')
  const input = new Input({
    source: new CustomSource({ getSize: () => bytes, read, prefetchProfile: 'fileSystem' }),
    formats: [WEBM, new AnyBoxes()],
  })
  if (!(await input.canRead())) return damaged('its index cannot be read')
  const video = await input.getPrimaryVideoTrack()
  if ((await input.getTracks()).length === 0) return damaged('its index is missing')
  if (!video) return unsupported('The file holds no picture, only sound. Use a video.')
  return { kind: 'ok', input, video, audio: await input.getPrimaryAudioTrack() }
}

/** The codec's usual name; for one without a name here, what the file calls it. */
export async function codecOf(track: InputTrack): Promise<string> {
  const name = await track.getCodec()
  if (name) return name
  const internal = await track.getInternalCodecId()
  return typeof internal === 'string' && /^[\x20-\x7e]+$/.test(internal) ? internal.trim() : 'unknown'
}

export function damaged(what: string): VideoFailure {
  const message = `The video is damaged: ${what}. Export it again and upload it.`
  return { kind: 'failed', code: 'media-upload:corrupt', message }
}

export function unsupported(message: string): VideoFailure {
  return { kind: 'failed', code: 'media-upload:unsupported_type', message }
}
