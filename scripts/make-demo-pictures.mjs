// Draws the pictures of the demo account's week: node scripts/make-demo-pictures.mjs. What it writes is committed, so that a
// first start draws nothing. Needs the development packages.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const WIDTH = 1080
const HEIGHT = 1350
/** Bytes of a picture at the most. */
const MOST = 25_000

const folder = new URL('../src/operations/accounts/demo-pictures/', import.meta.url)

let seed = 11
/** The same every time. */
const random = (from, to) => {
  seed = (seed * 16_807) % 2_147_483_647
  return from + ((seed - 1) / 2_147_483_646) * (to - from)
}
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join('')

const stops = (colors) => colors.map(([at, color]) => `<stop offset="${at}" stop-color="${color}"/>`).join('')
const down = (id, ...colors) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops(colors)}</linearGradient>`
const round = (id, x, y, r, ...colors) =>
  `<radialGradient id="${id}" cx="${x}" cy="${y}" r="${r}">${stops(colors)}</radialGradient>`
const blur = (id, deviation) =>
  `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`

const vignette =
  round('edge', 0.5, 0.45, 0.8, [0.55, '#00000000'], [1, '#000000a0']) + blur('soft', 14) + blur('softer', 40)
const picture = (defs, inside) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs>${vignette}${defs}</defs>${inside}` +
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#edge)" opacity=".7"/></svg>`

/** A ridge of hills from edge to edge. */
function ridge(y, height, fill) {
  const points = Array.from({ length: 10 }, (_, index) => [index * 135 - 60, y - random(0, height)])
  const line = points
    .slice(1)
    .map(([x, top], index) => {
      const [before, level] = points[index]
      const middle = (before + x) / 2
      return `C${middle} ${level} ${middle} ${top} ${x} ${top}`
    })
    .join('')
  const [[x, top]] = points
  return `<path d="M${x} ${top}${line}V${HEIGHT + 10}H-60Z" fill="${fill}"/>`
}

const hills = () =>
  picture(
    down('sky', [0, '#3b4a78'], [0.3, '#c9798a'], [0.48, '#f6b88a'], [0.6, '#ffe3b0']) +
      round('sun', 0.5, 0.5, 0.5, [0, '#fffbe8'], [0.35, '#ffedbe'], [1, '#ffd48a00']) +
      down('far', [0, '#c78f98'], [0.35, '#e6b4a0']) +
      down('middle', [0, '#7d5f7c'], [0.4, '#a5788a']) +
      down('near', [0, '#4a4360'], [0.5, '#5f4b66']) +
      down('front', [0, '#2c3040'], [1, '#12161f']),
    `<rect width="1080" height="1350" fill="url(#sky)"/><circle cx="700" cy="600" r="300" fill="url(#sun)"/>` +
      `<g filter="url(#soft)" fill="#fff0dd" opacity=".5"><ellipse cx="260" cy="330" rx="240" ry="22"/><ellipse cx="820" cy="240" rx="210" ry="16"/><ellipse cx="560" cy="420" rx="330" ry="14"/></g>` +
      ridge(760, 150, 'url(#far)') +
      ridge(860, 130, 'url(#middle)') +
      `<g filter="url(#softer)" fill="#ffdfc0" opacity=".42"><ellipse cx="300" cy="900" rx="460" ry="44"/><ellipse cx="880" cy="960" rx="380" ry="36"/></g>` +
      ridge(1010, 140, 'url(#near)') +
      ridge(1190, 120, 'url(#front)') +
      many(46, () => {
        const [x, y, r] = [random(0, 1080), random(1170, 1350), random(14, 34)]
        return `<ellipse cx="${x}" cy="${y}" rx="${r * 1.5}" ry="${r}" fill="#${random(0, 1) > 0.5 ? '1c2b24' : '263a2c'}"/>`
      }),
  )

const wood = (from, to) => down('wood', [0, from], [1, to])
const grain = (color) =>
  many(26, () => {
    const y = random(0, 1350)
    return `<path d="M0 ${y}C300 ${y + random(-26, 26)} 760 ${y + random(-26, 26)} 1080 ${y + random(-16, 16)}" stroke="${color}" stroke-width="${random(1, 5)}" fill="none" opacity="${random(0.1, 0.4)}"/>`
  })

const latte = () =>
  picture(
    wood('#8a5f3d', '#5b3a22') +
      round('saucer', 0.42, 0.38, 0.65, [0, '#ffffff'], [0.75, '#e9e4dc'], [1, '#c3bbae']) +
      round('cup', 0.4, 0.35, 0.7, [0, '#ffffff'], [0.8, '#f1ece4'], [1, '#cfc6b8']) +
      round('coffee', 0.45, 0.4, 0.6, [0, '#c58a55'], [0.6, '#8e5730'], [1, '#4f2b14']) +
      round('light', 0.5, 0.5, 0.5, [0, '#ffe9c4c0'], [1, '#ffe9c400']),
    `<rect width="1080" height="1350" fill="url(#wood)"/>${grain('#3c2414')}` +
      `<ellipse cx="200" cy="160" rx="560" ry="420" fill="url(#light)"/>` +
      `<ellipse cx="590" cy="770" rx="420" ry="400" fill="#1c0f06" opacity=".55" filter="url(#softer)"/>` +
      `<circle cx="540" cy="700" r="390" fill="url(#saucer)"/><circle cx="540" cy="700" r="300" fill="#d9d2c6"/>` +
      `<ellipse cx="566" cy="730" rx="285" ry="280" fill="#3a2a1c" opacity=".4" filter="url(#soft)"/>` +
      `<rect x="800" y="640" width="150" height="88" rx="44" fill="#f4efe7"/><rect x="830" y="662" width="96" height="44" rx="22" fill="#d9d2c6"/>` +
      `<circle cx="540" cy="690" r="285" fill="url(#cup)"/><circle cx="540" cy="690" r="246" fill="url(#coffee)"/>` +
      `<g fill="#f8ead3" filter="url(#crisp)">` +
      [150, 118, 86, 56]
        .map(
          (r, index) =>
            `<path d="M540 ${846 - index * 62}C${540 - r * 1.5} ${790 - index * 66} ${540 - r * 1.3} ${650 - index * 56} ${540 - r * 0.25} ${676 - index * 62}Q540 ${694 - index * 62} 540 ${720 - index * 62}Q540 ${694 - index * 62} ${540 + r * 0.25} ${676 - index * 62}C${540 + r * 1.3} ${650 - index * 56} ${540 + r * 1.5} ${790 - index * 66} 540 ${846 - index * 62}Z" opacity="${0.95 - index * 0.03}"/>` +
            (index < 3
              ? `<path d="M${540 - r * 0.9} ${742 - index * 62}Q540 ${832 - index * 62} ${540 + r * 0.9} ${742 - index * 62}" stroke="#a76f42" stroke-width="12" fill="none"/>`
              : ''),
        )
        .join('') +
      `</g><path d="M330 560A246 246 0 0 1 470 460" stroke="#ffffff" stroke-width="16" stroke-linecap="round" fill="none" opacity=".45" filter="url(#soft)"/>` +
      many(9, () => bean(random(60, 1020), random(1130, 1320), random(0, 180))),
  )

const bean = (x, y, angle) =>
  `<g transform="translate(${x} ${y}) rotate(${angle})"><ellipse cx="6" cy="10" rx="34" ry="24" fill="#170b04" opacity=".45" filter="url(#soft)"/><ellipse rx="34" ry="24" fill="#5a3218"/><ellipse cx="-6" cy="-7" rx="22" ry="12" fill="#8a5530" opacity=".7"/><path d="M-32 2Q-8 -10 4 2T32 0" stroke="#2a1408" stroke-width="5" fill="none"/></g>`

const dusk = () =>
  picture(
    down('evening', [0, '#16213f'], [0.5, '#3a3560'], [1, '#1a1626']) +
      round('glow', 0.5, 0.4, 0.75, [0, '#fff0c8'], [0.5, '#f7b65c'], [1, '#a2591f']) +
      down('street', [0, '#2a2334'], [1, '#100d17']),
    `<rect width="1080" height="1350" fill="url(#evening)"/>` +
      `<g filter="url(#soft)">${many(26, () => `<circle cx="${random(0, 1080)}" cy="${random(0, 470)}" r="${random(14, 52)}" fill="${['#ffc878', '#ff9d6b', '#9fb7ff', '#ffe6b0'][Math.floor(random(0, 4))]}" opacity="${random(0.12, 0.42)}"/>`)}</g>` +
      `<rect x="90" y="420" width="900" height="700" rx="10" fill="#151020"/><rect x="130" y="560" width="540" height="480" fill="url(#glow)"/><rect x="730" y="560" width="210" height="560" fill="url(#glow)"/>` +
      many(
        9,
        (index) =>
          `<path d="M${90 + index * 100} 430h100l14 96a57 40 0 0 1 -114 0Z" fill="${index % 2 ? '#f3e2c6' : '#1f6a62'}"/>`,
      ) +
      `<rect x="130" y="900" width="540" height="16" fill="#5b3418"/><rect x="130" y="760" width="540" height="12" fill="#5b3418"/>` +
      many(
        8,
        (index) =>
          `<rect x="${150 + index * 64}" y="${676}" width="42" height="84" rx="8" fill="${['#7a4a26', '#2f5d54', '#b9773c', '#e8d3ac'][index % 4]}"/>`,
      ) +
      many(
        6,
        (index) =>
          `<ellipse cx="${190 + index * 86}" cy="884" rx="36" ry="22" fill="${['#9a5a26', '#b87534', '#7d4319'][index % 3]}"/>`,
      ) +
      many(
        3,
        (index) =>
          `<path d="M${230 + index * 170} 560v60" stroke="#241a12" stroke-width="5"/><circle cx="${230 + index * 170}" cy="634" r="20" fill="#fffbe6"/><circle cx="${230 + index * 170}" cy="634" r="60" fill="#fff3c9" opacity=".5" filter="url(#soft)"/>`,
      ) +
      `<rect x="762" y="600" width="146" height="330" fill="#ffe9bb" opacity=".5"/><path d="M835 560v560" stroke="#3b2413" stroke-width="10"/>` +
      `<rect y="1120" width="1080" height="230" fill="url(#street)"/>` +
      `<g filter="url(#softer)" opacity=".65"><path d="M130 1120H670L740 1350H40Z" fill="#f3a74c"/><path d="M730 1120H940L1040 1350H760Z" fill="#f3a74c"/></g>`,
  )

const citrus = () =>
  picture(
    round('table', 0.35, 0.3, 1, [0, '#e9f2ee'], [0.6, '#bcd6cf'], [1, '#7fa69d']) +
      round('peel', 0.5, 0.5, 0.5, [0.86, '#ffb238'], [1, '#e07a10']) +
      round('flesh', 0.5, 0.5, 0.5, [0, '#ffd27a'], [1, '#ff9a1f']) +
      down('drink', [0, '#e8c9a0'], [0.3, '#a8662f'], [1, '#3b1a08']) +
      down('glass', [0, '#ffffff70'], [1, '#ffffff20']),
    `<rect width="1080" height="1350" fill="url(#table)"/>` +
      `<path d="M0 300L1080 60V0H0Z" fill="#ffffff" opacity=".35" filter="url(#softer)"/>` +
      slice(230, 1060, 180, 10) +
      slice(860, 1130, 150, 35) +
      slice(890, 300, 130, 0) +
      `<path d="M420 1130L980 1010L1010 1150L440 1190Z" fill="#2f5a52" opacity=".4" filter="url(#softer)"/>` +
      `<path d="M380 300H720L680 1130a40 40 0 0 1 -40 36H460a40 40 0 0 1 -40 -36Z" fill="url(#glass)"/>` +
      `<path d="M392 470H708L676 1110a36 36 0 0 1 -36 32H460a36 36 0 0 1 -36 -32Z" fill="url(#drink)"/>` +
      many(
        5,
        (index) =>
          `<rect x="${410 + (index % 3) * 96}" y="${430 + Math.floor(index / 3) * 104}" width="86" height="86" rx="16" transform="rotate(${random(-22, 22)} ${450 + (index % 3) * 96} ${470 + Math.floor(index / 3) * 104})" fill="#ffffff" opacity=".4"/>`,
      ) +
      `<path d="M420 330L450 1090" stroke="#ffffff" stroke-width="18" stroke-linecap="round" opacity=".5" filter="url(#soft)"/>` +
      slice(690, 330, 120, 20) +
      `<path d="M600 170L560 560" stroke="#f2efe6" stroke-width="24" stroke-linecap="round"/><path d="M596 176L557 560" stroke="#d95c4a" stroke-width="8" stroke-dasharray="26 26"/>`,
  )

function slice(x, y, r, turn) {
  const part = (angle) =>
    `<path transform="rotate(${angle})" d="M0 ${-r * 0.1}L${r * 0.3} ${-r * 0.72}Q0 ${-r * 0.95} ${-r * 0.3} ${-r * 0.72}Z" fill="url(#flesh)"/>`
  return (
    `<g transform="translate(${x} ${y}) rotate(${turn})"><circle cx="22" cy="34" r="${r}" fill="#27483f" opacity=".4" filter="url(#soft)"/>` +
    `<circle r="${r}" fill="url(#peel)"/><circle r="${r * 0.88}" fill="#fff0cf"/>${many(9, (index) => part(index * 40))}</g>`
  )
}

const harbor = () =>
  picture(
    down('air', [0, '#6fa7c9'], [0.32, '#b9d8e2'], [0.5, '#fdeacb']) +
      down('water', [0, '#f4d9b0'], [0.25, '#7fb0bd'], [1, '#1f4a60']) +
      down('hull', [0, '#f6f1e6'], [0.6, '#e7dccb'], [0.62, '#b3402f'], [1, '#7a2418']),
    `<rect width="1080" height="700" fill="url(#air)"/><rect y="690" width="1080" height="660" fill="url(#water)"/>` +
      `<g filter="url(#softer)" fill="#ffffff" opacity=".75"><ellipse cx="240" cy="240" rx="230" ry="52"/><ellipse cx="420" cy="205" rx="160" ry="44"/><ellipse cx="880" cy="330" rx="210" ry="36"/></g>` +
      many(13, (index) => {
        const [x, height] = [index * 88 - 24, random(90, 190)]
        const color = ['#d98b5f', '#e5c28b', '#9fb59a', '#c96a55', '#f0dfc4', '#7d99a8'][index % 6]
        return `<rect x="${x}" y="${690 - height}" width="84" height="${height}" fill="${color}"/><path d="M${x - 4} ${690 - height}L${x + 42} ${640 - height}L${x + 88} ${690 - height}Z" fill="#7b4a3c"/>${many(4, (nth) => `<rect x="${x + 16 + (nth % 2) * 34}" y="${712 - height + Math.floor(nth / 2) * 44}" width="16" height="22" fill="#40566b" opacity=".7"/>`)}<rect x="${x}" y="696" width="84" height="${height}" fill="${color}" opacity=".28" filter="url(#soft)"/>`
      }) +
      many(42, () => {
        const y = random(720, 1340)
        return `<rect x="${random(-60, 1000)}" y="${y}" width="${random(40, 260)}" height="${(y - 680) / 90 + 1}" rx="3" fill="#ffffff" opacity="${random(0.08, 0.34)}"/>`
      }) +
      `<path d="M560 640V1010" stroke="#4b3626" stroke-width="14"/><path d="M572 660L860 980H572Z" fill="#fffaf0"/><path d="M548 700L350 980H548Z" fill="#f3dfbf"/>` +
      `<path d="M270 1010H880Q830 1150 740 1160H400Q310 1140 270 1010Z" fill="url(#hull)"/>` +
      `<path d="M270 1170Q560 1230 880 1170L820 1300H350Z" fill="#123546" opacity=".5" filter="url(#softer)"/>`,
  )

const pour = () =>
  picture(
    round('room', 0.7, 0.25, 1.1, [0, '#f3e7d6'], [0.5, '#cdb397'], [1, '#6b4f3a']) +
      down('dripper', [0, '#ffffff'], [1, '#d8d0c4']) +
      down('server', [0, '#ffffff90'], [1, '#ffffff40']) +
      down('brew', [0, '#8b4a1d'], [1, '#32150a']) +
      down('counter', [0, '#5c4030'], [1, '#35231a']),
    `<rect width="1080" height="1350" fill="url(#room)"/>` +
      `<g filter="url(#softer)"><rect x="640" y="40" width="330" height="520" fill="#fff7e6" opacity=".9"/><rect x="790" y="40" width="20" height="520" fill="#b79b7d"/><rect x="640" y="290" width="330" height="18" fill="#b79b7d"/><ellipse cx="180" cy="420" rx="130" ry="190" fill="#5d7a58"/><ellipse cx="90" cy="330" rx="90" ry="150" fill="#6f8d63"/></g>` +
      `<rect y="1090" width="1080" height="260" fill="url(#counter)"/><path d="M0 1090H1080" stroke="#8b6a50" stroke-width="8"/>` +
      `<ellipse cx="570" cy="1160" rx="330" ry="50" fill="#150b06" opacity=".6" filter="url(#soft)"/>` +
      `<path d="M400 720H680L780 1060Q790 1160 700 1164H380Q290 1160 300 1060Z" fill="url(#server)"/>` +
      `<path d="M330 960H750L778 1062Q788 1152 700 1154H380Q292 1152 302 1062Z" fill="url(#brew)"/>` +
      `<path d="M404 740L330 1030" stroke="#ffffff" stroke-width="16" stroke-linecap="round" opacity=".6" filter="url(#soft)"/>` +
      `<path d="M300 440H780L640 700H440Z" fill="url(#dripper)"/><rect x="380" y="690" width="320" height="34" rx="17" fill="#efe8dc"/>` +
      `<path d="M330 440H750L700 500H380Z" fill="#3c2113"/><ellipse cx="540" cy="440" rx="240" ry="36" fill="#f4efe6"/><ellipse cx="540" cy="442" rx="205" ry="26" fill="#4a2a17"/>` +
      `<path d="M544 724V960" stroke="#6d3414" stroke-width="7"/>` +
      `<path d="M900 250Q720 230 560 432" stroke="#cfe3ea" stroke-width="10" fill="none" opacity=".9"/><path d="M1080 190L930 216Q880 226 880 262L900 284Q990 250 1080 262Z" fill="#3a3f45"/>` +
      `<g filter="url(#softer)" stroke="#ffffff" stroke-width="46" fill="none" opacity=".35"><path d="M470 400Q420 280 500 190T470 20"/><path d="M600 400Q650 300 590 220T640 60"/></g>`,
  )

for (const [name, draw] of Object.entries({ harbor, hills, latte, dusk, citrus, pour })) {
  const drawn = await sharp(Buffer.from(draw())).png().toBuffer()
  let quality = 80
  let bytes
  do {
    bytes = await sharp(drawn).jpeg({ quality, mozjpeg: true }).toBuffer()
    quality -= 4
  } while (bytes.length > MOST && quality > 20)
  const thumbnail = await sharp(drawn).resize(400, 400, { fit: 'inside' }).webp({ quality: 72 }).toBuffer()
  await writeFile(fileURLToPath(new URL(`${name}.jpg`, folder)), bytes)
  await writeFile(fileURLToPath(new URL(`${name}.webp`, folder)), thumbnail)
  process.stdout.write(`${name}: ${bytes.length} bytes at quality ${quality + 4}, thumbnail ${thumbnail.length}\n`)
}
