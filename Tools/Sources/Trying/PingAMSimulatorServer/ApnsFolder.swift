public import Foundation
public import PingAMSimulator
import PushBridgeCore

/// A folder for `.apns` files, each of which a user can drag onto an iOS simulator.
public struct ApnsFolder: Sendable {
    /// The folder.
    public let url: URL
    /// The bundle identifier of the app that receives the pushes.
    public let bundleIdentifier: String

    /// Creates a value that writes pushes to a folder.
    ///
    /// The folder must exist when a push is written.
    public init(_ url: URL, bundleIdentifier: String) {
        self.url = url
        self.bundleIdentifier = bundleIdentifier
    }

    /// Writes a push to a file, and returns the file's URL.
    ///
    /// An earlier file of the same push is replaced.
    ///
    /// Throws the file system's errors, and ``SimulatorError`` if the push exceeds the size that APNs
    /// accepts. The member with the bundle identifier does not count towards the size.
    @discardableResult
    public func write(_ delivery: PushDelivery) throws -> URL {
        let file = try delivery.file(for: bundleIdentifier)
        let name = delivery.messageId.replacingOccurrences(of: ":", with: "-")
        let place = url.appendingPathComponent("\(name).apns")
        // The draft is readable only by the user, because a push reveals who logs in and where.
        let draft = url.appendingPathComponent(".\(name).apns-new")
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: draft.path, contents: file, attributes: own) else {
            throw CocoaError(.fileWriteUnknown)
        }
        guard rename(draft.path, place.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return place
    }
}

extension PushDelivery {
    /// Returns the push as a file for `xcrun simctl push`, which reads the app's bundle identifier from the file.
    /// - Parameter bundleIdentifier: The bundle identifier of the app.
    /// - Returns: The payload with one additional member.
    /// - Throws: `SimulatorError` if the payload exceeds the size that APNs accepts. The additional member
    ///   does not count towards the size.
    package func file(for bundleIdentifier: String) throws -> Data {
        let (size, largest) = (payloadText.utf8.count, PushChannel.alert.largestPayload)
        guard size <= largest else {
            let reason = "The payload has \(size) bytes; APNs accepts at most \(largest)."
            throw SimulatorError(code: .payloadTooLarge, reason: reason)
        }
        let app = JSONValue.string(bundleIdentifier).text
        return Data("{\"Simulator Target Bundle\":\(app),\(payloadText.dropFirst())".utf8)
    }
}
