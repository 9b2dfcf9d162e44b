/** The schema by which other Pulumi languages see the components, as far as tests read it. */
export interface PackageSchema {
  readonly resources: Readonly<Record<string, ObjectSchema>>;
  readonly types: Readonly<Record<string, ObjectSchema>>;
}

export interface ObjectSchema {
  readonly description?: string;
  readonly inputProperties?: Readonly<Record<string, PropertySchema>>;
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly requiredInputs?: readonly string[];
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly value: string }[];
}

interface PropertySchema {
  readonly description?: string;
  readonly type?: string;
  readonly $ref?: string;
  readonly plain?: boolean;
  readonly items?: PropertySchema;
  readonly additionalProperties?: PropertySchema;
}

/**
 * The schema as a page: a block for each component and type, a line for each property, e.g. `database?: DatabaseArgs`;
 * `Input<…>` where a program may hand over an output. In alphabetical order, whoever made the schema.
 */
export function schemaPage({ resources, types }: PackageSchema): string {
  const blocks = [
    ...Object.entries(resources).flatMap(([name, { inputProperties, requiredInputs, properties, required }]) => [
      block(`component ${localName(name)}`, inputProperties, requiredInputs),
      ...(properties && Object.keys(properties).length > 0
        ? [block(`outputs of ${localName(name)}`, properties, required)]
        : []),
    ]),
    ...Object.entries(types).map(([name, type]) =>
      type.enum
        ? `${localName(name)} = ${type.enum.map(({ value }) => value).join(" | ")}\n`
        : block(localName(name), type.properties, type.required),
    ),
  ];
  return blocks.sort().join("\n");
}

function block(title: string, properties: ObjectSchema["properties"] = {}, required: readonly string[] = []): string {
  const line = ([name, property]: [string, PropertySchema]) => {
    const type = property.plain ? typeName(property) : `Input<${typeName(property)}>`;
    return `  ${name}${required.includes(name) ? "" : "?"}: ${type}\n`;
  };
  return `${title}\n${Object.entries(properties).map(line).sort().join("")}`;
}

function typeName({ type, $ref, items, additionalProperties }: PropertySchema): string {
  if ($ref) return localName($ref);
  if (items) return `${typeName(items)}[]`;
  if (additionalProperties) return `Record<string, ${typeName(additionalProperties)}>`;
  return type ?? "unknown";
}

const localName = (token: string) => token.split(":").at(-1) ?? token;
