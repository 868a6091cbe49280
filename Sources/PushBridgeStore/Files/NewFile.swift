import Foundation

/// A file in the making: it has a name of its own until it is complete, so nobody ever sees half of it.
///
/// If the process dies before ``publish()``, a `.new-…` file is left that nothing reads.
struct NewFile {
    /// Where the file is until it is published.
    let temporaryPath: String
    private let destination: String
    private let folder: String

    /// Makes an empty file with mode 0600 in the folder of `destination`.
    init(for destination: String) throws {
        self.destination = destination
        folder = URL(fileURLWithPath: destination).deletingLastPathComponent().path
        let name = ".new-" + String(UInt64.random(in: .min ... .max), radix: 36)
        temporaryPath = URL(fileURLWithPath: folder).appendingPathComponent(name).path
        _ = try Descriptor(making: temporaryPath)
    }

    /// Writes the whole content, durably.
    func write(_ data: Data) throws {
        let file = try Descriptor(rewriting: temporaryPath)
        try file.write(data)
        try file.sync()
    }

    /// Gives the file its final name, durably; `false` if something has that name already.
    func publish() throws -> Bool {
        if link(temporaryPath, destination) != 0 {
            guard errno != EEXIST else { return false }
            // Some file systems know no links; there the check and the renaming are two steps.
            guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { throw SystemFailure.last }
            guard try FileStatus(path: destination) == nil else { return false }
            guard rename(temporaryPath, destination) == 0 else { throw SystemFailure.last }
        }
        unlink(temporaryPath)
        try Descriptor(reading: folder)?.sync()
        return true
    }

    /// Removes what is left of an unpublished file and of its companions.
    func discard(companions: [String] = []) {
        for suffix in companions + [""] { unlink(temporaryPath + suffix) }
    }
}
