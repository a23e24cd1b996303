// What programs put on the clipboard, in our own words and in their shapes: texts as HTML, as plain text, as RTF and as a picture.

export interface Clipboard {
  'text/plain'?: string
  'text/html'?: string
  'text/rtf'?: string
  /** Names of pictures. */
  files?: readonly string[]
}

const rtf = (text: string) => `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Calibri;}}\\f0\\fs22 ${text}\\par}`
/** As Windows puts it: with where the text begins and ends. */
const office = (program: string, body: string) => `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=${program}.Document>
<meta name=Generator content="Microsoft ${program} 15"><link rel=File-List href="file:///C:/Temp/clip_filelist.xml">
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- @font-face {font-family:Calibri;} p.MsoNormal {mso-style-unhide:no; margin:0cm;} --></style></head>
<body lang=EN-US style='tab-interval:36.0pt'><!--StartFragment-->${body}<!--EndFragment--></body></html>`
const table = (rows: readonly (readonly string[])[]) =>
  `<table border=0 cellpadding=0><col width=64>${rows
    .map((cells) => `<tr height=20>${cells.map((cell) => `<td class=xl65>${cell}</td>`).join('')}</tr>`)
    .join('')}</table>`

const WEEK = [
  ['Mon', 'Bread'],
  ['Tue', 'Cake'],
] as const
const CELLS = 'Mon\tBread\nTue\tCake'

/** Copied texts, and what a caption has of them: the text, and no file. */
export const OFFICE_TEXTS: Readonly<Record<string, { clipboard: Clipboard; caption: string }>> = {
  'Word for Windows': {
    clipboard: {
      'text/plain': 'Fresh bread – “daily”\r\nfrom seven\v sharp\r\n',
      'text/html': office(
        'Word',
        '<p class=MsoNormal>Fresh bread – “daily”<o:p></o:p></p>\n<p class=MsoNormal>from seven<br>\nsharp<o:p></o:p></p>',
      ),
      'text/rtf': rtf('Fresh bread'),
      files: ['image.png'],
    },
    caption: 'Fresh bread – “daily”\nfrom seven\n sharp\n',
  },
  'Word for Mac': {
    clipboard: {
      'text/plain': 'Fresh bread\nÀ demain\u2028été',
      'text/html': office('Word', '<p class=MsoNormal>Fresh bread</p><p class=MsoNormal>À demain<br>été</p>'),
      'text/rtf': rtf('Fresh bread'),
      files: ['image.png', 'image.pdf'],
    },
    caption: 'Fresh bread\nÀ demain\nété',
  },
  Excel: {
    clipboard: {
      'text/plain': `${CELLS.replace('\n', '\r\n')}\r\n`,
      'text/html': office('Excel', table(WEEK)),
      'text/rtf': rtf('Mon'),
      files: ['image.png'],
    },
    caption: `${CELLS}\n`,
  },
  PowerPoint: {
    clipboard: {
      'text/plain': 'Autumn menu\vPumpkin soup\rWalnut bread',
      'text/html': office(
        'PowerPoint',
        '<div style="mso-line-spacing:90"><span>Autumn menu<br>Pumpkin soup</span></div>',
      ),
      'text/rtf': rtf('Autumn menu'),
      files: ['image.png'],
    },
    caption: 'Autumn menu\nPumpkin soup\nWalnut bread',
  },
  Numbers: {
    clipboard: { 'text/plain': CELLS, 'text/html': table(WEEK), 'text/rtf': rtf('Mon'), files: ['image.png'] },
    caption: CELLS,
  },
  Pages: {
    clipboard: { 'text/plain': 'Spring is here\u2028and so are we', 'text/rtf': rtf('Spring'), files: ['image.png'] },
    caption: 'Spring is here\nand so are we',
  },
  'Google Docs': {
    clipboard: {
      'text/plain': 'A – “B”\n\n• one\n• two',
      'text/html':
        '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-7c1"><p dir="ltr"><span>A – “B”</span></p><br /><ul><li><p role="presentation"><span>one</span></p></li></ul></b>',
    },
    caption: 'A – “B”\n\n• one\n• two',
  },
  LibreOffice: {
    clipboard: {
      'text/plain': 'Opening hours\n7–18',
      'text/html':
        '<!DOCTYPE html><html><head><title></title><meta name="generator" content="LibreOffice 24.2 (Linux)"/><style type="text/css">p { margin-bottom: 0.25cm }</style></head><body><p>Opening hours</p><p>7–18</p></body></html>',
      'text/rtf': rtf('Opening hours'),
      files: ['image.png'],
    },
    caption: 'Opening hours\n7–18',
  },
  OneNote: {
    clipboard: {
      'text/plain': 'Ideas\n- a tour of the bakery\n- the oldest oven',
      'text/html': office('OneNote', '<p style="margin:0in">Ideas</p><ul><li>a tour of the bakery</li></ul>'),
      'text/rtf': rtf('Ideas'),
      files: ['image.png'],
    },
    caption: 'Ideas\n- a tour of the bakery\n- the oldest oven',
  },
  Outlook: {
    clipboard: {
      'text/plain': 'Dear Anna,\r\n\r\nthe text for Friday:\r\nCroissants!',
      'text/html': office('Word', '<p class=MsoNormal>Dear Anna,</p><p class=MsoNormal>the text for Friday:</p>'),
      'text/rtf': rtf('Dear Anna'),
      files: ['image.png', 'image001.jpg'],
    },
    caption: 'Dear Anna,\n\nthe text for Friday:\nCroissants!',
  },
  'Apple Notes': {
    clipboard: {
      'text/plain': 'Shopping\n◦ flour\n◦ butter',
      'text/html': '<div>Shopping</div><ul class="Apple-dash-list"><li>flour</li><li>butter</li></ul>',
      'text/rtf': rtf('Shopping'),
      files: ['image.tiff'],
    },
    caption: 'Shopping\n◦ flour\n◦ butter',
  },
}

const PICTURE = '<img src="https://pictures.example/bread.png" alt="Bread">'

/** What else is copied: a caption's text, and the names of files that are sent. */
export const OTHERS: Readonly<Record<string, { clipboard: Clipboard; caption?: string; files?: readonly RegExp[] }>> = {
  'a screenshot': { clipboard: { files: ['image.png'] }, files: [/^pasted /] },
  'a picture of a page, by Chrome': {
    clipboard: { 'text/html': `<meta charset="utf-8">${PICTURE}`, files: ['image.png'] },
    files: [/^pasted /],
  },
  'a picture of a page, by Firefox': {
    clipboard: { 'text/plain': 'https://pictures.example/bread.png', 'text/html': PICTURE, files: ['image.png'] },
    files: [/^pasted /],
  },
  'a picture of a page, by a phone': {
    clipboard: { 'text/plain': 'https://pictures.example/bread.png', files: ['bread.png'] },
    files: [/^bread\.png/],
  },
  'a picture inside of Word': {
    clipboard: {
      'text/plain': ' \r\n',
      'text/html': office('Word', '<p class=MsoNormal><img width=64 src="file:///C:/Temp/clip_image002.png"></p>'),
      files: ['image.png'],
    },
    files: [/^pasted /],
  },
  'a picture inside of Apple Notes': { clipboard: { 'text/plain': '\ufffc', files: ['photo.jpg'] }, files: [/^photo/] },
  'a file in the Finder': {
    clipboard: { 'text/plain': 'Bäckerei.jpg'.normalize('NFD'), files: ['Bäckerei.jpg'] },
    files: [/^Bäckerei/],
  },
  'files in a file manager of Linux': {
    clipboard: { 'text/plain': '/home/ada/one.jpg\nfile:///home/ada/two%20b.jpg', files: ['one.jpg', 'two b.jpg'] },
    files: [/^one/, /^two b/],
  },
  'a cell with an address, in Excel': {
    clipboard: {
      'text/plain': 'https://bakery.example/menu\r\n',
      'text/html': office('Excel', table([['https://bakery.example/menu']])),
      files: ['image.png'],
    },
    caption: 'https://bakery.example/menu\n',
  },
  'a cell with an address, in Numbers': {
    clipboard: { 'text/plain': 'https://bakery.example/menu', 'text/rtf': rtf('https'), files: ['image.png'] },
    caption: 'https://bakery.example/menu',
  },
  'an emoji that a chat draws as a picture': {
    clipboard: { 'text/plain': '🥖', 'text/html': '<img alt="🥖" src="https://chat.example/1f956.png">' },
    caption: '🥖',
  },
  'a message with a picture': {
    clipboard: { 'text/plain': 'Look at this', 'text/html': `<p>Look at this</p>${PICTURE}`, files: ['image.png'] },
    caption: 'Look at this',
  },
  'HTML alone': {
    clipboard: {
      'text/html': `<style>p { color: red }</style><p>Fresh\n  bread</p><p>from <b>seven</b><br>sharp</p>${table(WEEK)}`,
    },
    caption: `Fresh bread\nfrom seven\nsharp\n${CELLS}`,
  },
  'HTML and a picture of it': {
    clipboard: { 'text/html': '<h2>Menu</h2><ul><li>Soup</li><li>Bread</li></ul>', files: ['image.png'] },
    caption: 'Menu\nSoup\nBread',
  },
}
