import { describe, expect, test } from 'vitest'
import { readPage } from './open-graph.ts'

const head = (...tags: string[]) =>
  `<!doctype html><html><head>${tags.join('\n')}</head><body><p>Hello</p></body></html>`
const nothing = { title: null, description: null, images: [], base: null }
const read = (page: string, charset: string | null = null) => readPage({ bytes: Buffer.from(page), charset })

describe('what a page says of itself', () => {
  test('is read from Open Graph', () => {
    const page = head(
      '<title>Other</title>',
      '<meta property="og:title" content="Bread &amp; butter">',
      "<meta content='Fresh > stale' property='og:description' />",
      '<META PROPERTY=og:image CONTENT=https://example.com/a.jpg>',
    )
    expect(read(page)).toEqual({
      ...nothing,
      title: 'Bread & butter',
      description: 'Fresh > stale',
      images: ['https://example.com/a.jpg'],
    })
  })

  test.each([
    ['the title of the page', '<title lang="de">\n Brot\n  &uuml;ber Nacht </title>', { title: 'Brot über Nacht' }],
    ['its description', '<meta name="description" content="&#8220;Rye&#x201D;">', { description: '“Rye”' }],
    ['a card of another network', '<meta name="twitter:title" content="T">', { title: 'T' }],
    ['its picture', '<meta name="twitter:image" content="/a.png">', { images: ['/a.png'] }],
    [
      'the secure picture',
      '<meta property="og:image" content="http://a"><meta property="og:image:secure_url" content="https://a">',
      { images: ['https://a', 'http://a'] },
    ],
    [
      'the first of two',
      '<meta property="og:title" content="1"><meta property="og:title" content="2">',
      { title: '1' },
    ],
    [
      'the first that says something',
      '<meta property="og:title" content=""><meta name="og:title" content="2">',
      { title: '2' },
    ],
    ['one of several names', '<meta property="dc:title og:title" content="1">', { title: '1' }],
    [
      'what is in one line',
      '<meta charset=utf-8 name=viewport content=x property><meta property="og:title" content="1">',
      { title: '1' },
    ],
    [
      'what addresses are relative to',
      '<base href="/blog/"><base href="/x"><title>1</title>',
      { title: '1', base: '/blog/' },
    ],
  ])('or from %s', (_, tags, facts) => {
    expect(read(head(tags))).toEqual({ ...nothing, ...facts })
  })

  // Each page is called Bread, and something in it is not.
  const OTHER = '<title>Loading</title><meta property="og:title" content="Loading">'
  test.each([
    ['a script', `<script>var t = '${OTHER}<body class="x">'</script>`],
    ['a script that writes an end of a script', `<script><!--\nx = "<script></script>${OTHER}"\n--></script>`],
    ['a comment', `<!-- ${OTHER} -->`],
    ['a comment that ends as old browsers end it', `<!-- ${OTHER} --!>`],
    ['a comment for old browsers', `<!--[if IE]>${OTHER}<![endif]-->`],
    ['a template', `<template>${OTHER}</template>`],
    ['a template in a template', `<template><template></template>${OTHER}</template>`],
    ['what is for browsers without scripts', `<noscript>${OTHER}</noscript>`],
    ['a style', `<style>/* ${OTHER} */</style>`],
    ['a text area', `<textarea>${OTHER}</textarea>`],
    ['a frame', `<iframe>${OTHER}</iframe>`],
    ['a frame in an attribute', `<iframe srcdoc='${OTHER}'></iframe>`],
    ['an attribute', `<div data-x='${OTHER}'></div>`],
    ['a drawing', '<svg><title>Loading</title></svg>'],
    ['a formula', '<math><annotation><title>Loading</title></annotation></math>'],
    ['other elements', '<metadata property="og:title" content="Loading"><titles>Loading</titles>'],
    ['other data', '<meta property="og:site_name" content="Loading"><meta content="Loading">'],
  ])('is not what is in %s', (_, part) => {
    expect(read(head(part, '<title>Bread</title>')).title).toBe('Bread')
    expect(read(`${part}<title>Bread</title>`).title).toBe('Bread')
  })

  test.each([
    ['in the body', `<body><div>x</div><title>Bread</title><meta property="og:image" content="a"></body>`],
    ['behind the body', `<body>x</body></html><title>Bread</title><meta property="og:image" content="a">`],
    ['before any element', 'x<title>Bread</title><meta property="og:image" content="a">'],
    ['cut off', '<title>Bread</title><meta property="og:image" content="a"><meta property="og:tit'],
    ['cut off within a title', '<meta property="og:image" content="a"><title>Bread'],
    [
      'for browsers without scripts alone',
      '<noscript><title>Bread</title><meta property="og:image" content="a"></noscript>',
    ],
  ])('may be %s', (_, page) => {
    expect(read(page)).toEqual({ ...nothing, title: 'Bread', images: ['a'] })
  })

  test.each([
    ['nothing', ''],
    ['an empty title', head('<title> </title>', '<meta property="og:title" content="">')],
    ['a tag that does not end', '<meta property="og:title" content="1'],
    ['a comment without an end', '<!-- <me'],
  ])('is nothing for %s', (_, page) => {
    expect(read(page)).toEqual(nothing)
  })

  test.each([
    ['&#146;&#147;&#148;&#150;', '’“”–'],
    ['It&#39s', "It's"],
    ['S&atilde;o Jo&atilde;o &iquest;Qu&eacute;?', 'São João ¿Qué?'],
    ['Rye&nbsp;&amp;&nbsp;spelt', 'Rye & spelt'],
    ['a &copy 2027 &amp', 'a © 2027 &'],
    ['a&unknown;b', 'a&unknown;b'],
    ['&#x1F956;&#129366;', '🥖🥖'],
    ['a&#xD83E;b', 'a\ufffdb'],
    ['a&#0;b', 'a\ufffdb'],
    ['a&#1;&#x7f;b', 'ab'],
    ['Back&shy;ofen', 'Backofen'],
    ['&lt;b&gt;', '<b>'],
    ['&amp;amp;', '&amp;'],
    ['&fjlig;&NotEqualTilde;', 'fj≂̸'],
  ])('is read as browsers read %s', (written, text) => {
    expect(read(head(`<meta property="og:title" content="${written}">`)).title).toBe(text)
    expect(read(head(`<title>${written}</title>`)).title).toBe(text)
  })

  test.each([
    ['quotes without end', '<meta content="'],
    ['names without end', `<meta ${'a'.repeat(50)} `],
    ['equals signs', '<meta ='],
    ['titles', '<title>'],
    ['references', '<title>&#x&#'],
    ['pages for browsers without scripts', '<noscript>'],
    ['charsets', '<meta charset="'],
  ])('of a page of a stranger costs little: %s', (_, unit) => {
    const page = unit.repeat(Math.ceil(1_048_576 / unit.length))
    const began = performance.now()
    read(page)
    expect(performance.now() - began).toBeLessThan(3_000)
  })
})
