import { expect, test } from 'vitest'
import { nameOfUrl } from './name-of-url.ts'

test.each([
  ['https://example.com/a/photo.jpg?token=secret#x', 'photo.jpg'],
  ['https://example.com/a/My%20photo%20%C3%A9.jpg', 'My photo é.jpg'],
  ['https://example.com/folder/', 'folder'],
  ['https://example.com', 'example.com'],
  ['https://example.com:8080//', 'example.com'],
  ['https://example.com/100%.png', '100%.png'],
  ['https://example.com/a%2Fb%5Cc.png', 'a/b\\c.png'],
  ['https://example.com/evil%0D%0Agpj.%E2%80%AEexe', 'evilgpj.exe'],
  ['https://example.com/%00', 'example.com'],
  [`https://example.com/${'%F0%9F%98%80'.repeat(300)}`, '😀'.repeat(200)],
])('%s', (url, name) => {
  expect(nameOfUrl(url)).toBe(name)
})

test.each([
  ['https://example.com/short/x1', 'https://cdn.example/files/bread%20roll.jpg?token=secret', 'bread roll.jpg'],
  ['https://example.com/photo.jpg', 'https://cdn.example/a1b2.jpg', 'photo.jpg'],
  ['https://example.com/photo.jpg', 'https://cdn.example/a1b2', 'photo.jpg'],
  ['https://example.com/short/x1', 'https://cdn.example/view', 'x1'],
  ['https://example.com/', 'https://cdn.example/view', 'view'],
  ['https://example.com/v1.', 'https://cdn.example/a.mp4', 'a.mp4'],
  ['https://example.com/x1', 'https://cdn.example/', 'x1'],
  ['https://example.com/', 'https://cdn.example/', 'example.com'],
])('%s redirected to %s', (url, final, name) => {
  expect(nameOfUrl(url, final)).toBe(name)
})
