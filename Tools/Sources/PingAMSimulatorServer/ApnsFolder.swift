public import Foundation
public import PingAMSimulator
import PushBridgeCore

/// A folder of `.apns` files, which a person drops on an iOS simulator.
public struct ApnsFolder: Sendable {
    /// The folder.
    public let url: URL
    /// The bundle identifier of the app that receives the pushes.
    public let bundleIdentifier: String

    /// Names a folder, which must exist when a push is written.
    public init(_ url: URL, bundleIdentifier: String) {
        self.url = url
        self.bundleIdentifier = bundleIdentifier
    }

    /// Writes a push, replacing its file if it was written before, and returns where.
    ///
    /// Throws the file system's errors, and ``SimulatorError`` if the push is larger than APNs takes. What names the
    /// app does not count for that.
    @discardableResult
    public func write(_ delivery: PushDelivery) throws -> URL {
        let file = try delivery.file(for: bundleIdentifier)
        let name = delivery.messageId.replacingOccurrences(of: ":", with: "-")
        let place = url.appendingPathComponent("\(name).apns")
        // For its user alone: a push tells who logs in where.
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
    /// The push as a file for `xcrun simctl push`, which reads from it which app it is for.
    /// - Parameter bundleIdentifier: The app's identifier.
    /// - Returns: The payload as it is, with that one member more.
    /// - Throws: `SimulatorError` if the payload has more bytes than APNs takes; what names the app does not count for that.
    package func file(for bundleIdentifier: String) throws -> Data {
        let (size, largest) = (payloadText.utf8.count, PushChannel.alert.largestPayload)
        guard size <= largest else {
            let reason = "The payload has \(size) bytes; APNs takes \(largest) at most."
            throw SimulatorError(code: .payloadTooLarge, reason: reason)
        }
        let app = JSONValue.string(bundleIdentifier).text
        return Data("{\"Simulator Target Bundle\":\(app),\(payloadText.dropFirst())".utf8)
    }
}
