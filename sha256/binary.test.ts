import { describe, expect, it } from 'vitest';
import { moduleOf, signed, unsigned, VALUE_TYPE } from './binary.js';

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex');

describe('LEB128', () => {
  it.each([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [624_485, 'e58e26'],
    [0xffff_ffff, 'ffffffff0f'],
  ])('unsigned %i', (value, bytes) => {
    expect(hex(unsigned(value))).toBe(bytes);
  });

  it.each([
    [0, '00'],
    [63, '3f'],
    [64, 'c000'],
    [-1, '7f'],
    [-64, '40'],
    [-65, 'bf7f'],
    [-123_456, 'c0bb78'],
    [0x8000_0000, '8080808078'],
  ])('signed %i', (value, bytes) => {
    expect(hex(signed(value))).toBe(bytes);
  });
});

describe('a module', () => {
  it('exports its memory with the data in it, and its function', () => {
    // memory[8] = memory[4] + argument, as 32-bit integers.
    const code = [0x41, 0, 0x41, 0, 0x28, 2, 4, 0x20, 0, 0x6a, 0x36, 2, 8];
    const bytes = moduleOf({
      locals: [[2, VALUE_TYPE.i32]],
      code,
      data: { at: 4, bytes: Uint8Array.of(0x34, 0x12, 0, 0) },
    });
    const api = (globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => object } }).WebAssembly;
    const { Instance } = api as unknown as { Instance: new (module: object) => { exports: unknown } };
    const { memory, run } = new Instance(new api.Module(bytes)).exports as {
      memory: { buffer: ArrayBuffer };
      run: (argument: number) => void;
    };
    run(0x1000);
    expect(new Uint32Array(memory.buffer)[2]).toBe(0x2234);
  });
});
