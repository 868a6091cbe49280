import Foundation
import Synchronization

/// The folders of app groups; not part of Apple's frameworks.
///
/// Each process has its own folders.
public enum StandInGroups {
    private struct Folders {
        var device = 0
        var urls: [String: URL] = [:]
    }

    private static let shared = Mutex(Folders())

    /// Simulates a new device, whose folders are empty.
    ///
    /// A new device's folders have new names, because an app of the earlier device may still have open databases. Such
    /// an app could otherwise create files beside a database of the new device.
    public static func reset() {
        let former = shared.withLock {
            let former = Array($0.urls.values)
            $0 = Folders(device: $0.device + 1)
            return former
        }
        for folder in former { try? FileManager.default.removeItem(at: folder) }
    }

    /// Returns the folder of an app group; creates the folder if it does not exist.
    static func folder(_ group: String) throws -> URL {
        let url = shared.withLock {
            let name = "\(group).\(ProcessInfo.processInfo.processIdentifier).\($0.device)"
            let url = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
            $0.urls[group] = url
            return url
        }
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }
}
