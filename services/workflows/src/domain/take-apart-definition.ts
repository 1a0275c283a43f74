import { isJsonObject, type Json } from '@weft/node-catalogue';
import type { DefinitionParts, NodeParts } from './workflow';

const textOrNone = (value: Json | undefined): string => (value === undefined ? '' : JSON.stringify(value));

const plain = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const takeApartNode = (node: Json): NodeParts => {
  const { id, name, type, position, parameters, ...extra } = isJsonObject(node) ? node : {};
  return {
    id: plain(id),
    name: plain(name),
    type: plain(type),
    position: Array.isArray(position) ? position.map(Number) : [],
    parametersJson: textOrNone(parameters),
    extraJson: JSON.stringify(extra),
  };
};

/** The inverse of assembleDefinition, for text that it once made. */
export const takeApartDefinition = (text: string): DefinitionParts => {
  const value: Json = JSON.parse(text);
  const { name, nodes, connections, settings, ...extra } = isJsonObject(value) ? value : {};
  return {
    name: plain(name),
    nodes: Array.isArray(nodes) ? nodes.map(takeApartNode) : [],
    connectionsJson: textOrNone(connections),
    settingsJson: textOrNone(settings),
    extraJson: JSON.stringify(extra),
  };
};
