import Foundation
import Testing

/// The contents of an example's Xcode project.
struct Project {
    let objects: [String: [String: Any]]
    let root: String
    private let folder: URL

    /// Reads the Xcode project of an example.
    init(_ example: String = "DeliveryApp") throws {
        folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(example).resolvingSymlinksInPath()
        let file = folder.appendingPathComponent("\(example).xcodeproj/project.pbxproj")
        let text = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        let members = try #require(text as? [String: Any])
        objects = try #require(members["objects"] as? [String: [String: Any]])
        root = try #require(members["rootObject"] as? String)
    }

    func url(_ path: String) -> URL { folder.appendingPathComponent(path).standardizedFileURL }
    func object(_ id: String) -> [String: Any]? { objects[id] }
    func objects(_ ids: Any?) -> [[String: Any]] { (ids as? [String] ?? []).compactMap { objects[$0] } }
    func all(_ isa: String) -> [[String: Any]] { objects.values.filter { $0["isa"] as? String == isa } }

    func plist(_ path: String) throws -> [String: Any] {
        let plist = try PropertyListSerialization.propertyList(from: Data(contentsOf: url(path)), format: nil)
        return try #require(plist as? [String: Any])
    }

    /// Returns the groups of an entitlement, without the team's identifier.
    func groups(of path: String, _ entitlement: String) throws -> [String] {
        let groups = try #require(try plist(path)[entitlement] as? [String])
        return groups.map { $0.replacingOccurrences(of: "$(AppIdentifierPrefix)", with: "") }
    }

    /// Returns the object identifiers (24 hexadecimal digits each) in a text or a list.
    static func references(in value: Any) -> [String] {
        switch value {
        case let text as String:
            text.count == 24 && text.allSatisfy { $0.isHexDigit && !$0.isLowercase } ? [text] : []
        case let list as [Any]: list.flatMap(references)
        default: []
        }
    }
}
