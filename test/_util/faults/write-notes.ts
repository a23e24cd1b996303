// A process that writes notes one after the other until its standard input ends, and prints the id of each that was answered 201.
// Arguments: address, key, social set. A process, so that it can be begun in another network.
const [url = '', key = '', socialSetId = ''] = process.argv.slice(2)
let open = true
process.stdin.resume().once('end', () => {
  open = false
})
for (let count = 0; open; count += 1) {
  const answer = await fetch(`${url}/v1/notes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      socialSetId,
      content: `Note ${count}`,
      hexColor: '#faf785',
      scheduledAt: '2030-06-01T10:00:00Z',
    }),
  }).catch(() => null)
  if (answer?.status === 201) process.stdout.write(`${((await answer.json()) as { id: string }).id}\n`)
}
