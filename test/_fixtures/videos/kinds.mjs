/**
 * Videos by how they are made: what `make-videos.mjs` asks ffmpeg for. `server`: what the server makes of each with its decoder;
 * `cut: false`: it does not come to decoding; `key` and
 * `cover`: the seconds of its key frame and of the frame of 1.3, as ffmpeg counts them. `browser`: with which codec a browser draws it; null: nothing is promised.
 */

const x264 = (profile = 'main', ...more) => [
  ...['-c:v', 'libx264', '-profile:v', profile, '-pix_fmt', 'yuv420p', '-crf', '30', '-g', '5', '-keyint_min', '5'],
  ...['-sc_threshold', '0', ...more],
]
const x265 = (...more) => [
  ...['-c:v', 'libx265', '-pix_fmt', 'yuv420p', '-crf', '30', '-tag:v', 'hvc1'],
  ...['-x265-params', 'keyint=5:min-keyint=5:scenecut=0:open-gop=0:log-level=error:pools=1:frame-threads=1', ...more],
]
const x265of = (params, ...more) => x265(...more).map((arg) => (arg.startsWith('keyint') ? `${arg}:${params}` : arg))
const vp9 = (...more) => [
  '-c:v',
  'libvpx-vp9',
  '-pix_fmt',
  'yuv420p',
  '-crf',
  '40',
  '-b:v',
  '0',
  '-g',
  '5',
  '-threads',
  '1',
  ...more,
]
const vp8 = (...more) => ['-c:v', 'libvpx', '-pix_fmt', 'yuv420p', '-crf', '30', '-b:v', '200k', '-g', '5', ...more]
const av1 = (...more) => [
  '-c:v',
  'libaom-av1',
  '-pix_fmt',
  'yuv420p',
  '-crf',
  '45',
  '-b:v',
  '0',
  '-g',
  '5',
  '-cpu-used',
  '8',
  ...more,
]
const AAC = ['-c:a', 'aac', '-b:a', '24k', '-ac', '1']
const OPUS = ['-c:a', 'libopus', '-b:a', '24k', '-ac', '1']
const HDR = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc']
const HLG = ['-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67', '-colorspace', 'bt2020nc']
const FAST = ['-movflags', '+faststart']
const turn = (degrees) => ['-metadata:s:v:0', `rotate=${degrees}`]
const poster = (browser, more) => ({ server: 'poster', browser, ...more })
const tile = (browser, more) => ({ server: 'tile', browser, ...more })
const uncut = (more) => ({ server: 'tile', cut: false, browser: null, ...more })

export const kinds = {
  // H.264
  'h264-baseline.mp4': poster('h264', { video: x264('baseline'), mux: FAST }),
  'h264-main.mp4': poster('h264', { video: x264(), mux: FAST }),
  'h264-high-sound.mp4': poster('h264', { video: x264('high'), sound: AAC, mux: FAST }),
  'h264-index-last.mp4': poster('h264', { video: x264() }),
  // ffmpeg counts from its first frame, which is shown at 0.2.
  'h264-fragments.mp4': poster('h264', {
    video: x264(),
    mux: ['-movflags', '+frag_keyframe+empty_moov'],
    cover: 1.1,
  }),
  'h264-b-frames.mp4': poster('h264', { video: x264('high', '-bf', '3', '-b_strategy', '0'), mux: FAST }),
  'h264-open-group.mp4': poster('h264', { video: x264('high', '-bf', '3', '-x264-params', 'open-gop=1'), mux: FAST }),
  'h264-one-key-frame.mp4': poster('h264', {
    video: [...x264(), '-g', '500', '-keyint_min', '500'],
    mux: FAST,
    key: 0,
  }),
  'h264-interlaced.mp4': poster('h264', { video: x264('main', '-flags', '+ilme+ildct'), mux: FAST }),
  'h264-60-frames.mp4': poster('h264', { video: [...x264(), '-g', '30'], shape: { rate: 60 }, mux: FAST }),
  'h264-upright.mp4': poster('h264', { video: x264(), shape: { size: '180x320' }, mux: FAST }),
  'h264-square.mov': poster('h264', { video: x264(), shape: { size: '240x240' } }),
  'h264.mov': poster('h264', { video: x264() }),
  'h264-sound.mov': poster('h264', { video: x264(), sound: AAC }),
  'h264-turned-90.mp4': poster('h264', { video: x264(), again: turn(90) }),
  'h264-turned-180.mp4': poster('h264', { video: x264(), again: turn(180) }),
  'h264-turned-270.mp4': poster('h264', { video: x264(), again: turn(270) }),
  'h264-turned-90.mov': poster('h264', { video: x264(), again: turn(90) }),
  'h264-turned-270.mov': poster('h264', { video: x264(), again: turn(270) }),
  'h264-small.mp4': poster('h264', { video: x264(), shape: { size: '32x32' }, mux: FAST }),
  'h264-wide.mp4': poster('h264', { video: x264(), shape: { size: '960x160' }, mux: FAST }),
  'h264-4k.mp4': poster('h264', { video: x264(), shape: { size: '3840x2160', rate: 5 }, mux: FAST, cover: 1.2 }),
  'h264-5k.mp4': uncut({ video: x264(), shape: { size: '5120x2880', rate: 4 }, mux: FAST, browser: 'h264' }),
  'h264-10-bits.mp4': poster(null, { video: x264('high10', '-pix_fmt', 'yuv420p10le'), mux: FAST }),
  'h264-422.mp4': poster(null, { video: x264('high422', '-pix_fmt', 'yuv422p'), mux: FAST }),
  'h264-444.mp4': poster(null, { video: x264('high444', '-pix_fmt', 'yuv444p'), mux: FAST }),
  'h264-late-start.mp4': poster('h264', { video: x264(), again: ['-output_ts_offset', '0.5'], key: 0.5, cover: 0.8 }),
  // HEVC
  'hevc.mp4': poster('hevc', { video: x265(), mux: FAST }),
  'hevc-sound.mp4': poster('hevc', { video: x265(), sound: AAC, mux: FAST }),
  'hevc-hev1.mp4': poster('hevc', { video: x265('-tag:v', 'hev1'), mux: FAST }),
  'hevc.mov': poster('hevc', { video: x265() }),
  'hevc-turned-90.mov': poster('hevc', { video: x265(), again: [...turn(90), '-tag:v', 'hvc1'] }),
  'hevc-turned-180.mov': poster('hevc', { video: x265(), again: [...turn(180), '-tag:v', 'hvc1'] }),
  'hevc-turned-270.mp4': poster('hevc', { video: x265(), again: [...turn(270), '-tag:v', 'hvc1'] }),
  'hevc-10-bits.mp4': poster('hevc', { video: x265('-pix_fmt', 'yuv420p10le'), mux: FAST }),
  'hevc-hdr.mp4': poster('hevc', {
    video: x265of('colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc', '-pix_fmt', 'yuv420p10le', ...HDR),
    mux: FAST,
  }),
  'hevc-hlg.mov': poster('hevc', {
    video: x265of('colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc', '-pix_fmt', 'yuv420p10le', ...HLG),
  }),
  // VP8, VP9
  'vp8.webm': poster('vp8', { video: vp8() }),
  'vp8-sound.webm': poster('vp8', { video: vp8(), sound: OPUS }),
  'vp9.webm': poster('vp9', { video: vp9() }),
  'vp9-sound.webm': poster('vp9', { video: vp9(), sound: OPUS }),
  'vp9.mp4': poster('vp9', { video: vp9(), mux: FAST }),
  'vp9-upright.webm': poster('vp9', { video: vp9(), shape: { size: '180x320' } }),
  'vp9-444.webm': poster('vp9', { video: vp9('-pix_fmt', 'yuv444p') }),
  'vp9-10-bits.webm': poster('vp9', { video: vp9('-pix_fmt', 'yuv420p10le') }),
  'vp9-hdr.webm': poster('vp9', { video: vp9('-pix_fmt', 'yuv420p10le', ...HDR) }),
  'vp9-see-through.webm': poster('vp9', { video: vp9('-pix_fmt', 'yuva420p', '-auto-alt-ref', '0') }),
  // What the decoder does not have, or is not asked for.
  'av1.mp4': uncut({ video: av1(), mux: FAST, browser: 'av1' }),
  'av1.webm': uncut({ video: av1(), browser: 'av1' }),
  'av1-10-bits.mp4': uncut({ video: av1('-pix_fmt', 'yuv420p10le'), mux: FAST, browser: 'av1' }),
  'av1-hdr.mp4': uncut({ video: av1('-pix_fmt', 'yuv420p10le', ...HDR), mux: FAST, browser: 'av1' }),
  'mpeg4.mp4': uncut({ video: ['-c:v', 'mpeg4', '-q:v', '8', '-g', '5'], mux: FAST }),
  'prores.mov': uncut({
    video: ['-c:v', 'prores_ks', '-profile:v', '0', '-qscale:v', '30'],
    shape: { size: '160x90', rate: 5 },
  }),
  'mjpeg.mov': uncut({ video: ['-c:v', 'mjpeg', '-q:v', '20', '-pix_fmt', 'yuvj420p'] }),
  // Broken
  'cut-off.mp4': uncut({ from: 'h264-index-last.mp4', bytes: (file) => file.subarray(0, file.length >> 1) }),
  'cut-off.webm': tile(null, { from: 'vp9.webm', bytes: (file) => file.subarray(0, file.length >> 2) }),
  'no-frames.mp4': tile(null, { from: 'h264-index-last.mp4', bytes: (file) => blank(file, 'mdat') }),
  'other-frames.mp4': tile(null, { from: 'hevc.mp4', bytes: (file) => scrambled(file, 'mdat') }),
  'empty.mp4': uncut({ bytes: () => Buffer.alloc(0) }),
  'words.mp4': uncut({ bytes: () => Buffer.from('This is no video.\n'.repeat(40)) }),
}

/** The same file whose box is full of zeros. */
function blank(file, type) {
  const [start, end] = boxOf(file, type)
  return Buffer.concat([file.subarray(0, start), Buffer.alloc(end - start), file.subarray(end)])
}

/** The same file whose box has other bytes. */
function scrambled(file, type) {
  const [start, end] = boxOf(file, type)
  const copy = Buffer.from(file)
  for (let at = start; at < end; at++) copy[at] = (copy[at] * 31 + at * 17) & 0xff
  return copy
}

function boxOf(file, type) {
  for (let at = 0; at + 8 <= file.length; ) {
    const size = file.readUInt32BE(at)
    if (file.toString('latin1', at + 4, at + 8) === type) return [at + 8, at + size]
    at += Math.max(8, size)
  }
  throw new Error(`There is no ${type}.`)
}
