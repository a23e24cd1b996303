/** Of a body, what differs from another one. */
export function differences<Body extends object>(body: Body, before: Body): Partial<Body> {
  const changed = (Object.keys(body) as (keyof Body)[]).filter(
    (name) => JSON.stringify(body[name]) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, body[name]])) as Partial<Body>
}
