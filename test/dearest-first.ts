/**
 * The order of test files in a run: what takes long begins first, so that no core waits for it at the end. It does not
 * choose what is run.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { tierOf } from './tiers.js';

/** Within each project the files of the slower tiers come first, then as Vitest has it: what took long the last time. */
export class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const isQuick = (file: TestSpecification): boolean => tierOf(file.moduleId) === 'quick';
      return [...own.filter((file) => !isQuick(file)), ...own.filter(isQuick)];
    });
  }
}
