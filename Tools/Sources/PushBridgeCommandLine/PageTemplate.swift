import Foundation
import Mustache
public import PushBridgeCore

/// A page for people: a template that is filled with values, self-contained and without a script.
///
/// All templates lie in one folder, in Mustache, which escapes what is filled in. They are parts of each other: each page
/// is inside `page`, and has the look of the lab.
public enum PageTemplate: String, CaseIterable, Sendable {
    /// What became of the records of one store.
    case migration
    /// What became of many stores.
    case stores
    /// What differs between the two APIs.
    case parity
    /// The uses of the legacy API in an app.
    case audit
    /// How a roll-out goes.
    case fleet

    /// Fills the template.
    /// - Parameter content: An object with the names of the template. A name whose value is null or absent is not shown.
    /// - Returns: The page as HTML.
    /// - Throws: ``CommandFailure`` if a template is broken, which is a fault of this program.
    public func html(_ content: JSONValue) throws -> String {
        guard let html = try Self.library.get().render(Shown(content), withTemplate: rawValue) else {
            throw CommandFailure(status: .fault, sentence: "There is no template \(rawValue).")
        }
        return html
    }

    /// The templates and style sheets by the names with which they include each other.
    private static let library = Result {
        let files = [
            "audit": PackageResources.audit_mustache, "event": PackageResources.event_mustache,
            "fleet": PackageResources.fleet_mustache, "look": PackageResources.look_css,
            "marked": PackageResources.marked_mustache,
            "migration": PackageResources.migration_mustache, "page": PackageResources.page_mustache,
            "parity": PackageResources.parity_mustache, "report": PackageResources.report_css,
            "scenario": PackageResources.scenario_mustache, "share": PackageResources.share_mustache,
            "stores": PackageResources.stores_mustache, "totals": PackageResources.totals_mustache,
            "verdict": PackageResources.verdict_mustache,
        ]
        return MustacheLibrary(
            templates: try files.mapValues { bytes in
                // A part may be in the middle of a line.
                let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
                return try MustacheTemplate(string: text)
            }
        )
    }
}

/// How the lab and the reports look.
public enum Look {
    /// The style sheet that both have: colours and type, in light and dark.
    public static let css = String(decoding: PackageResources.look_css, as: UTF8.self)
}

extension JSONValue {
    /// A sentence of a document for a page: what is between backticks is code.
    /// - Parameter text: The sentence.
    /// - Returns: Its parts, as the template `marked` shows them.
    public static func marked(_ text: String) -> JSONValue {
        .array(
            text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
                ["isCode": .bool(!index.isMultiple(of: 2)), "words": .string(String(part))]
            }
        )
    }
}

/// A JSON value as templates read it.
private struct Shown: MustacheParent, MustacheCustomRepresentation {
    let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    func child(named name: String) -> Any? { value[name].map(Shown.init) }

    var representation: Any? {
        switch value {
        case .null: nil
        case .bool(let flag): flag
        case .integer(let number): number
        case .number(let number): number
        case .string(let text): text.visibleLines
        case .array(let elements): elements.map(Shown.init)
        case .object: self
        }
    }
}
