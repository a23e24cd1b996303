import { t } from '@lingui/core/macro'

/** What file dialogs offer first. What a file is, its bytes say, and the server reads them. */
export const ACCEPTED = 'image/jpeg,image/png,image/gif,image/webp,video/mp4,video/quicktime,video/webm,application/pdf'

/** Kinds by the ends of names that no network takes, so that not a byte is sent in vain. */
const OTHER_PICTURES = /\.(psd|ai|eps|heic|heif|tiff?|svg|bmp|avif|dng|raw|cr2|nef)$/i
const OTHER_VIDEOS = /\.(avi|mkv|wmv|flv|mpe?g|3gp|mts)$/i

/** Why a file is not sent at all, and what to do; null when the server decides. */
export function refusalOfFile({ name, size, type }: Pick<File, 'name' | 'size' | 'type'>): string | null {
  const kind = name.slice(name.lastIndexOf('.') + 1).toUpperCase()
  if (size === 0) return t`The file is empty. Choose another one.`
  if (OTHER_PICTURES.test(name)) return t`No network takes ${kind}. Export it as JPEG or PNG.`
  if (OTHER_VIDEOS.test(name)) return t`No network takes ${kind}. Export it as MP4.`
  if (type !== '' && !/^(image|video)\/|^application\/pdf$/.test(type))
    return t`This is not a picture, video or PDF. Choose one.`
  return null
}

const isPdf = (message: string) => message.startsWith('The PDF')

/** What the server refused, and what to do. */
export function refusalWords(code: string, message: string): string {
  switch (code) {
    case 'media-upload:unsupported_type':
      if (isPdf(message)) return t`The PDF is protected. Save it without protection, then add it.`
      return t`No network takes this kind of file. Export it as JPEG, PNG or MP4.`
    case 'media-upload:corrupt':
      return t`The file is damaged. Export it again, or choose another one.`
    case 'media-upload:too_large':
    case 'request:too_large':
      if (isPdf(message))
        return t`A PDF has at most 100 MB and 300 pages, with pictures that are not too large. Make it smaller.`
      return t`The file is larger than 1 GB, or its picture has too many pixels. Export it smaller.`
    case 'media-upload:allowance_exceeded':
    case 'plan:upload_allowance_exceeded':
      return t`The uploads of this month are used up. Wait for the next month, or ask an owner for a larger plan.`
    case 'media-upload:storage_exceeded':
    case 'plan:storage_exceeded':
      return t`The storage is full. Ask an owner for a larger plan.`
    case 'media-upload:url_blocked':
    case 'media-upload:dns_failed':
    case 'media-upload:http_error':
    case 'media-upload:timeout':
    case 'media-upload:too_many_redirects':
      return t`This picture cannot be fetched from its page. Save it on your computer, then add the file.`
    case 'media-upload:too_many_pending':
      return t`Too many pictures are on their way. Wait a moment, then add it again.`
    case 'media-upload:interrupted':
      return t`The bytes stopped coming. Choose the file again.`
    case 'auth:insufficient_role':
      return t`Your role does not upload files. Ask an admin.`
    case 'social-set:not_found':
      return t`The brand is gone, or you may not see it. Choose another brand.`
    default:
      return message === '' ? t`The server refused the file. Try again in a moment.` : message
  }
}

/** "118 of 190 MB". */
export function progressWords(sent: number, bytes: number): string {
  const unit = bytes >= 1_000_000_000 ? 'GB' : bytes >= 1_000_000 ? 'MB' : 'kB'
  const size = { GB: 1e9, MB: 1e6, kB: 1e3 }[unit]
  const digits = unit === 'GB' ? 1 : 0
  const amount = (value: number) => (value / size).toFixed(digits)
  const part = amount(sent)
  const whole = bytes < 1_000 ? '1' : amount(bytes)
  return t`${part} of ${whole} ${unit}`
}
