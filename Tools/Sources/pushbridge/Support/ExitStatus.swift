import ArgumentParser

/// How a run ended, in the numbers of `sysexits.h` where they exist.
enum ExitStatus: Int32 {
    /// Everything is retirable or kept.
    case success = 0
    /// Finished; some records need attention.
    case needsAttention = 1
    /// The command was not understood.
    case usage = 64
    /// The input cannot be opened or is not a store.
    case unreadableInput = 66
    /// A fault of ours.
    case fault = 70
    /// The output cannot be written.
    case unwritableOutput = 73
    /// Locked, or changed meanwhile: try again later.
    case tryAgain = 75
    /// The key does not fit.
    case wrongKey = 77

    /// Ends the command with this status, unless it is success.
    func exit() throws {
        guard self != .success else { return }
        throw ExitCode(rawValue)
    }
}
