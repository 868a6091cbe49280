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
    /// Throws ``SimulatorError`` if the file is larger than APNs allows, and the file system's errors.
    @discardableResult
    public func write(_ delivery: PushDelivery) throws -> URL {
        let content: JSONValue = [
            "Simulator Target Bundle": .string(bundleIdentifier), "aps": delivery.payload["aps"] ?? .null,
        ]
        let file = content.data
        try SimulatorError.checkSize(file)
        let name = delivery.messageId.replacingOccurrences(of: ":", with: "-")
        let place = url.appendingPathComponent("\(name).apns")
        try file.write(to: place, options: .atomic)
        return place
    }
}
