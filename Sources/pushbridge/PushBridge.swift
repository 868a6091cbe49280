import ArgumentParser

@main struct A: ParsableCommand {}
