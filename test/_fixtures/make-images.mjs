import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

/** Writes the images of this folder. See README.md. */
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const svg = (width, height, inside) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`)

await sharp(
  svg(
    1200,
    900,
    '<rect width="600" height="900" fill="#d02020"/><rect x="600" width="600" height="900" fill="#2040d0"/>' +
      '<circle cx="600" cy="450" r="250" fill="#f0e0b0"/>',
  ),
)
  .withExif({
    IFD0: { Make: 'Almanac', Model: 'Fixture' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 30/1', GPSLongitudeRef: 'E', GPSLongitude: '2/1 17/1 40/1' },
  })
  .withMetadata({ orientation: 6 })
  .jpeg({ quality: 85 })
  .toFile(here('photo.jpg'))

await sharp(svg(600, 400, '<circle cx="300" cy="200" r="150" fill="#20a040"/>'))
  .png()
  .toFile(here('transparent.png'))

const frames = await Promise.all(
  ['#ff0000', '#00ff00', '#0000ff', '#ffff00'].map((fill) =>
    sharp(svg(160, 120, `<rect width="160" height="120" fill="${fill}"/>`))
      .png()
      .toBuffer(),
  ),
)
await sharp(frames, { join: { animated: true } })
  .gif({ delay: [200, 200, 200, 200], loop: 0 })
  .toFile(here('animated.gif'))
