import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';

/**
 * How a field is stored: `int` and `real` are JSON numbers (`real` also stores a caller's off-grid number), `money` a
 * bigint, `json` any plain value; `?` allows null.
 */
type ColumnType = 'int' | 'real' | 'money' | 'text' | 'bool' | 'json';
type NullableColumnType = `${ColumnType}?`;

type TypeOf<T> = [T] extends [bigint]
  ? 'money'
  : [T] extends [number]
    ? 'int' | 'real'
    : [T] extends [string]
      ? 'text'
      : [T] extends [boolean]
        ? 'bool'
        : 'json';

type ColumnOf<T> = null extends T ? `${TypeOf<NonNullable<T>>}?` : TypeOf<T>;

/** A table's only declaration; it does not compile unless every field of the record has a column of a suitable type. */
export interface TableDeclaration<R extends object> {
  name: string;
  columns: { readonly [F in keyof R]-?: ColumnOf<R[F]> };
  /** Primary key; a single `int` is the rowid itself, so rows are stored in that order. */
  key: readonly (keyof R & string)[];
  /**
   * Instead of an index on the key: an `int` field that the key is made from. Rows are stored in its order and found by
   * it, as the rowid `row`. The field itself is also a column: SQLite would not seek to `(time, rowid)`.
   */
  row?: keyof R & string;
  /** An `int` key that SQLite assigns if it is null; the checksum excludes it. */
  assigned?: keyof R & string;
  /** Rows are stored in the key's own tree: for small rows that are only found by their key or its prefix. */
  withoutRowid?: boolean;
  /** Fields that never change once written; updates skip them and their indices. */
  fixed?: readonly (keyof R & string)[];
  /** Columns that are not in the record: an SQL expression over `:field` parameters, computed at insert. */
  derived?: Readonly<Record<string, string>>;
  /** Table constraints and indices, in SQL. */
  constraints?: readonly string[];
  indices?: readonly string[];
}

const sqlTypes: Record<ColumnType, string> = {
  int: 'INTEGER',
  real: 'REAL',
  money: 'INTEGER',
  text: 'TEXT',
  bool: 'INTEGER',
  json: 'TEXT',
};

interface Column {
  field: string;
  name: string;
  type: ColumnType;
  nullable: boolean;
}

/**
 * The table's SQL and the conversion between records and rows, all from one declaration. Every row begins with a
 * checksum of its record.
 */
export class Table<R extends object> {
  readonly name: string;
  readonly #declaration: TableDeclaration<R>;
  readonly #columns: Column[];
  /** Of the checksum, and of the columns. */
  readonly #names: readonly string[];
  /** The columns that the checksum covers: all, or all but the first. */
  readonly #firstChecked: number;
  #values: ((record: R) => SQLInputValue[]) | undefined;

  constructor(declaration: TableDeclaration<R>) {
    this.name = declaration.name;
    this.#declaration = declaration;
    this.#columns = Object.entries<ColumnType | NullableColumnType>(declaration.columns).map(([field, type]) => ({
      field,
      name: columnName(field),
      type: type.replace('?', '') as ColumnType,
      nullable: type.endsWith('?'),
    }));
    this.#names = ['checksum', ...this.#columns.map(({ name }) => name)];
    this.#firstChecked = declaration.assigned === undefined ? 0 : 1;
  }

  /** CREATE TABLE, then its indices. */
  create(): string[] {
    const { key, row, derived = {}, constraints = [], indices = [], withoutRowid = false } = this.#declaration;
    const rowid = key.length === 1 && !withoutRowid ? key[0] : undefined;
    const definitions = this.#columns.map(({ field, name, type, nullable }) => {
      const definition = `${name} ${sqlTypes[type]}${nullable ? '' : ' NOT NULL'}`;
      return field === rowid && type === 'int' ? `${name} INTEGER PRIMARY KEY` : definition;
    });
    definitions.unshift('checksum INTEGER NOT NULL');
    for (const name of Object.keys(derived)) definitions.push(`${name} TEXT NOT NULL`);
    if (row !== undefined) definitions.push('row INTEGER PRIMARY KEY');
    if (!definitions.some((definition) => definition.endsWith('INTEGER PRIMARY KEY')))
      definitions.push(`PRIMARY KEY (${key.map(columnName).join(', ')})`);
    const options = withoutRowid ? 'STRICT, WITHOUT ROWID' : 'STRICT';
    return [
      `CREATE TABLE ${this.name} (\n  ${[...definitions, ...constraints].join(',\n  ')}\n) ${options}`,
      ...indices,
    ];
  }

  /** Parameters: `encode(record)`. */
  insert(): string {
    const { row, derived = {} } = this.#declaration;
    const computed = row === undefined ? derived : { ...derived, row: `:${row}` };
    const names = [...this.#names, ...Object.keys(computed)];
    // Without numbers, since each numbered one is searched for by name when it is bound.
    const values = this.#names.map(() => '?');
    for (const expression of Object.values(computed)) values.push(expression.replace(/:(\w+)/g, this.#parameter));
    return `INSERT INTO ${this.name} (${names.join(', ')}) VALUES (${values.join(', ')})`;
  }

  /** Inserts unless there is a row of the same key. Parameters: `encode(record)`. */
  insertIfNew(): string {
    const { key, row } = this.#declaration;
    const conflict = row === undefined ? key.map(columnName) : ['row'];
    return `${this.insert()} ON CONFLICT (${conflict.join(', ')}) DO NOTHING`;
  }

  /** Updates the row of the same key, if there is one. Parameters: `encode(record)`. */
  update(): string {
    const { key, row, fixed = [] } = this.#declaration;
    const kept = new Set<string>([...key, ...fixed]);
    const updates = this.#columns
      .filter(({ field }) => !kept.has(field))
      .map(({ field, name }) => `, ${name} = ${this.#parameter('', field)}`);
    const place =
      row === undefined
        ? key.map((field) => `${columnName(field)} = ${this.#parameter('', field)}`).join(' AND ')
        : `row = ${this.#parameter('', row)}`;
    return `UPDATE ${this.name} SET checksum = ?1${updates.join('')} WHERE ${place}`;
  }

  /** Every column, in the order `decode` expects; `tail` is what follows FROM table. */
  select(tail: string): string {
    return `SELECT ${this.#names.join(', ')} FROM ${this.name} ${tail}`;
  }

  /** Gives every row its checksum; `row_checksum` is `checksumOf` as a function of SQL. */
  stamp(): string {
    const checked = this.#columns.slice(this.#firstChecked).map(({ name }) => name);
    return `UPDATE ${this.name} SET checksum = row_checksum(${checked.join(', ')})`;
  }

  /**
   * The checksum, then the record's values in column order, up to the last that is not null: values that are not bound
   * are null.
   */
  encode(record: R): SQLInputValue[] {
    this.#values ??= valuesReader(this.#columns);
    const values = this.#values(record);
    values[0] = checksumOf(values, this.#firstChecked + 1);
    let count = values.length;
    while (values[count - 1] === null) count--;
    values.length = count;
    return values;
  }

  /** Whether a row is as it was written. */
  isSound(row: readonly SQLOutputValue[]): boolean {
    return Number(row[0]) === checksumOf(row as readonly SQLInputValue[], this.#firstChecked + 1);
  }

  /** A row's key as text. */
  keyOf(row: readonly SQLOutputValue[]): string {
    const values = this.#declaration.key.map((field) => row[1 + this.#columns.findIndex((one) => one.field === field)]);
    return values.map(String).join(' ');
  }

  /** The record of a row read with big integers; exact inverse of `encode`. */
  decode(row: readonly SQLOutputValue[]): R {
    const record: Record<string, unknown> = {};
    for (let index = 0; index < this.#columns.length; index++) {
      const { field, type } = this.#columns[index]!;
      const value = row[index + 1]!;
      if (value === null) record[field] = null;
      else if (type === 'int') record[field] = Number(value);
      else if (type === 'json') record[field] = JSON.parse(value as string);
      else if (type === 'bool') record[field] = value === 1n;
      else record[field] = value;
    }
    return record as R;
  }

  readonly #parameter = (_: string, field: string): string =>
    `?${this.#columns.findIndex((column) => column.field === field) + 2}`;
}

/**
 * Checksum of a row's values from the second on, up to the last that is not null: FNV-1a over 32-bit words. Each step
 * is one-to-one, so a change of any single word is always detected. Equal integers and big integers have equal
 * checksums, as SQLite returns either. (Node's own CRC-32 of the values as text takes three times as long, for every
 * row written.)
 */
export function checksumOf(values: readonly SQLInputValue[], from = 0): number {
  let end = values.length;
  while (end > from && values[end - 1] === null) end--;
  let sum = 0x811c9dc5;
  for (let index = from; index < end; index++) sum = withValue(sum, values[index]!);
  return sum >>> 0;
}

function withValue(sum: number, value: SQLInputValue): number {
  if (typeof value === 'string') return withText(sum, value);
  if (typeof value === 'number') return withNumber(sum, value);
  if (typeof value !== 'bigint') return withWord(sum, nullWord);
  const number = Number(value);
  if (Number.isSafeInteger(number)) return withNumber(sum, number);
  const high = withWord(sum, Number(BigInt.asIntN(32, value >> 32n)));
  return withWord(high, Number(BigInt.asIntN(32, value)));
}

function withText(sum: number, text: string): number {
  let all = withWord(sum, text.length);
  for (let index = 0; index < text.length; index++) all = withWord(all, text.charCodeAt(index));
  return all;
}

function withNumber(sum: number, value: number): number {
  // SQLite does not store negative zero.
  double[0] = value + 0;
  return withWord(withWord(sum, words[0]!), words[1]!);
}

function withWord(sum: number, word: number): number {
  return Math.imul(sum ^ word, 0x01000193);
}

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
const nullWord = 0x6e756c6c;

/**
 * Reads a record's values in column order, after a place for the checksum. It is generated as source text, `record =>
 * [0, record.id, …]`: a loop over fifty field names takes five times as long, and every order is written with it.
 */
function valuesReader<R>(columns: readonly Column[]): (record: R) => SQLInputValue[] {
  const values = columns.map(({ field, type, nullable }) => {
    const value = `record.${field}`;
    if (type !== 'json' && type !== 'bool') return value;
    const written = type === 'json' ? `JSON.stringify(${value})` : `${value} ? 1 : 0`;
    return nullable ? `${value} === null ? null : ${written}` : written;
  });
  return new Function('record', `return [0, ${values.join(', ')}];`) as (record: R) => SQLInputValue[];
}

/** `requestedAt` -> `requested_at`. */
function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
