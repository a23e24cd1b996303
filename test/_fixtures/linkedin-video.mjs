/**
 * Makes `linkedin-video.mp4`: 4 s, 640x360, H.264 and AAC, index first, and above the 75 KB that LinkedIn wants at least.
 * Needs ffmpeg 5.1 on the path.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const options = [
  '-hide_banner -loglevel error -y -f lavfi -i testsrc=size=640x360:rate=25',
  '-f lavfi -i sine=frequency=440:sample_rate=44100 -t 4',
  '-c:v libx264 -preset medium -crf 9 -pix_fmt yuv420p -c:a aac -b:a 32k -ac 1 -movflags +faststart',
  '-map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact',
]
execFileSync('ffmpeg', [...options.join(' ').split(' '), join(import.meta.dirname, 'linkedin-video.mp4')])
