import Type from 'typebox'
import { accountTypes, FIELD_GROUPS, PICKERS } from './account-types.ts'
import { MEDIA_TYPES } from './media.ts'
import { closed, orNull } from './schema.ts'

const titles = orNull(
  Type.Record(Type.String(), Type.String(), {
    description: 'For people: a name for each value that the schema lists; null if it lists none.',
  }),
)
const picker = orNull(
  Type.Enum([...PICKERS], {
    description:
      'How a person chooses it: lines of text, a moment of the video in seconds or milliseconds, a board, a category or an audience of the account, a language. Only programs choose a track. Null: by its schema.',
  }),
)
/** Where a field or an option stands in the form of its account type, and what its words are called. */
const placed = {
  label: Type.String({ description: 'Key of its words for people: `field:title`, `option:TIKTOK:privacy`.' }),
  group: Type.Enum([...FIELD_GROUPS], {
    description: 'Its group: the post itself, who sees it, what others may do, what must be disclosed.',
  }),
  order: Type.Integer({ minimum: 0, description: 'Its position in the form, among fields and options.' }),
}
/** What people must decide and agree to for each post on a network, in the network's own words. */
export const Agreement = closed({
  unless: orNull(closed({ option: Type.String(), value: Type.String() }), {
    description:
      'With this value, of the post or otherwise of the account, nothing of it is decided here. Null: always decided here.',
  }),
  disclosure: closed(
    {
      title: Type.String(),
      description: Type.String(),
      options: Type.Array(closed({ option: Type.String(), title: Type.String(), description: Type.String() })),
      missing: Type.String({ description: 'Where it is on and none of its options is.' }),
      labels: Type.Array(closed({ option: Type.String(), image: Type.String(), video: Type.String() }), {
        description: 'What follows, by the first of these options that is on: for pictures, for a video.',
      }),
    },
    { description: 'A switch, off at first, which shows these options. With it on one of them has to be.' },
  ),
  exclusions: Type.Array(
    closed({ option: Type.String(), value: Type.String(), by: Type.String(), message: Type.String() }),
    { description: 'A value that cannot be chosen while another option (`by`) is on.' },
  ),
  declarations: Type.Array(
    closed({
      option: orNull(Type.String()),
      text: Type.String(),
      links: Type.Array(closed({ text: Type.String(), url: Type.String() }), { description: 'Words of `text`.' }),
    }),
    { description: 'What posting means: the first whose option is on, or has none.' },
  ),
  afterwards: Type.String({ description: 'For who looks for the post right after it is published.' }),
})
export type Agreement = Type.Static<typeof Agreement>

const ratio = orNull(Type.Number(), { description: 'Width by height. Null: no limit.' })
/** As `PictureShape`. */
const Shape = closed({
  minRatio: ratio,
  maxRatio: ratio,
  tallRatio: orNull(Type.Number(), {
    description: 'The shape that a picture that is too tall gets. Null: `minRatio`.',
  }),
  alike: orNull(Type.Enum(['shape', 'pixels']), {
    description: 'All have the shape of the first item, or its pixels.',
  }),
})
const JsonSchema = Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of one value.' })

/** What an account type accepts: for people who write posts for it, and for programs that validate before they send. */
export const NetworkDescription = closed({
  accountType: Type.Enum([...accountTypes]),
  network: Type.String({ description: 'Name of the network, explained at `GET /docs/networks/{network}`.' }),
  title: Type.String({ description: 'Name for people.' }),
  fields: Type.Array(
    closed({
      name: Type.String(),
      required: Type.Boolean(),
      schema: JsonSchema,
      picker,
      ...placed,
      when: orNull(
        closed(
          { field: Type.String(), values: Type.Array(Type.String()) },
          {
            description:
              'It only has an effect if that field of the post has one of these values. Null: in all that `forms` names.',
          },
        ),
      ),
    }),
    { description: 'Fields of a post besides `accountType`, `caption`, `media` and `options`.' },
  ),
  thread: orNull(closed({ parts: Type.Integer({ description: 'The maximum number.' }) }), {
    description: 'Further parts that a post may have in its field `thread`, published as replies. Null: none.',
  }),
  options: Type.Array(
    closed({
      name: Type.String(),
      title: Type.String({ description: 'For people.' }),
      description: Type.String(),
      schema: JsonSchema,
      titles,
      picker,
      ...placed,
      required: Type.Boolean({ description: 'Posts cannot be scheduled until it is chosen, here or for the account.' }),
      perPost: Type.Boolean({
        description:
          'In the dashboard, people choose it for each post, with nothing preselected; the default of the account is for programs.',
      }),
      media: orNull(Type.Enum([...MEDIA_TYPES]), {
        description: 'It only has an effect with such media. Null: always.',
      }),
    }),
    { description: 'What the field `options` of a post may hold; it overrides the default of the connected account.' },
  ),
  forms: Type.Array(
    closed({
      type: orNull(Type.String({ description: 'Value of the field `type` for it.' })),
      caption: orNull(closed({ max: Type.Integer(), unit: Type.String({ description: 'How the network counts.' }) })),
      media: closed({
        min: Type.Integer({ description: '0: text alone is enough.' }),
        max: Type.Integer(),
        images: Type.Integer({ description: 'Maximum number of images.' }),
        videos: Type.Integer({ description: 'Maximum number of videos.' }),
        documents: Type.Integer({
          description: 'Maximum number of documents, which cannot be combined with other media.',
        }),
        mixed: Type.Boolean({ description: 'Whether images and videos can be combined.' }),
      }),
      shape: orNull(Shape, {
        description:
          'Extension. Shapes of pictures that it accepts, width by height; `fit` converts others. Null: all shapes.',
      }),
      fields: Type.Array(Type.String(), {
        description: 'Names of the fields that it uses. Others stay empty.',
      }),
      demands: Type.Array(Type.String(), {
        description: 'Of these, texts that must not be empty where they are used.',
      }),
    }),
    { description: 'Kinds of posts: one, or one for each value of the field `type`.' },
  ),
  defaults: Type.Array(
    closed({
      name: Type.String(),
      title: Type.String(),
      description: Type.String(),
      required: Type.Boolean({ description: 'Posts cannot be scheduled until it is chosen.' }),
      schema: JsonSchema,
      titles,
      picker,
    }),
    {
      description:
        'Settings that are chosen once for a connected account; most can be overridden for a post in `options`.',
    },
  ),
  agreement: orNull(Agreement, {
    description:
      'What people must decide and agree to for each post in the dashboard, in the words of the network, in every language. Null: nothing.',
  }),
  limits: Type.Array(
    closed({
      name: Type.String(),
      value: Type.Number(),
      unit: Type.String(),
      source: Type.String({ description: 'Page that states it.' }),
      read: Type.String({ description: 'Day on which the page was read.' }),
      unsure: orNull(Type.String({ description: 'Why it is uncertain.' })),
    }),
    { description: 'Every number that the rules use.' },
  ),
})
export type NetworkDescription = Type.Static<typeof NetworkDescription>
