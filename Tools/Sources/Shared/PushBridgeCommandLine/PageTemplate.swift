import Foundation
import Mustache
public import PushBridgeCore

/// The template of a report's HTML page, which is self-contained and has no scripts.
///
/// All templates are Mustache files in `Resources`, and Mustache escapes the values. Swift code contains no HTML of the
/// pages. Each page is embedded in the template `page` and uses the style of the lab.
public enum PageTemplate: String, CaseIterable, Sendable {
    /// The outcome of each record of one store.
    case migration
    /// The outcome of many stores.
    case stores
    /// The results of scenarios on both APIs.
    case parity
    /// The uses of the legacy API in an app.
    case audit
    /// The progress of a roll-out.
    case fleet

    /// A template for a part of a page.
    enum Part: String {
        /// The text that describes how the report was made.
        case made
        /// How the report was made, as data that ``Evidence/init(in:)`` reads.
        case madeHead

        /// Fills the template.
        /// - Throws: ``CommandFailure`` if a template is invalid, which is an internal error.
        func html(_ content: JSONValue) throws -> String { try PageTemplate.html(rawValue, content) }
    }

    /// Fills the template.
    /// - Parameter content: An object with the template's values. A null or absent value is not shown.
    /// - Returns: The page as HTML.
    /// - Throws: ``CommandFailure`` if a template is invalid, which is an internal error.
    public func html(_ content: JSONValue) throws -> String { try Self.html(rawValue, content) }

    private static func html(_ name: String, _ content: JSONValue) throws -> String {
        guard let html = try library.get().render(Shown(content), withTemplate: name) else {
            throw CommandFailure(status: .fault, sentence: "There is no template \(name).")
        }
        return html
    }

    /// The templates and style sheets, by the names under which templates include them.
    private static let library = Result {
        let files = [
            "audit": PackageResources.audit_mustache,
            "document": PackageResources.document_mustache, "event": PackageResources.event_mustache,
            "fleet": PackageResources.fleet_mustache, "look": PackageResources.look_css,
            "made": PackageResources.made_mustache, "madeHead": PackageResources.madeHead_mustache,
            "marked": PackageResources.marked_mustache,
            "migration": PackageResources.migration_mustache, "page": PackageResources.page_mustache,
            "parity": PackageResources.parity_mustache, "report": PackageResources.report_css,
            "scenario": PackageResources.scenario_mustache, "share": PackageResources.share_mustache,
            "stores": PackageResources.stores_mustache, "totals": PackageResources.totals_mustache,
            "verdict": PackageResources.verdict_mustache,
        ]
        return MustacheLibrary(
            templates: try files.mapValues { bytes in
                // A partial may be included in the middle of a line, so the line breaks at its ends are removed.
                let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
                return try MustacheTemplate(string: text)
            }
        )
    }
}

/// The style that the lab and the reports share.
public enum Look {
    /// The shared style sheet.
    ///
    /// The style sheet sets colours and fonts for light and dark mode.
    public static let css = String(decoding: PackageResources.look_css, as: UTF8.self)
}

extension JSONValue {
    /// Prepares a sentence of a document for a page: text in backticks becomes code.
    /// - Parameter text: The sentence.
    /// - Returns: The parts for the template `marked`.
    public static func marked(_ text: String) -> JSONValue {
        .array(
            text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
                ["isCode": .bool(!index.isMultiple(of: 2)), "words": .string(String(part))]
            }
        )
    }
}

extension JSONValue {
    /// The address of the project's documents.
    ///
    /// The README names the same repository.
    static let documents = "https://github.com/OWNERS-TO-BE-NAMED/PushBridge/blob/main/"

    /// Prepares a place in the project's documents for a page, as a link if there is an address.
    /// - Parameters:
    ///   - place: A path in the repository, with an anchor.
    ///   - address: The address of the folder with the documents; `nil` for the project's address.
    /// - Returns: The address and the place for the template `document`.
    public static func documentLink(_ place: String, at address: String? = nil) -> JSONValue {
        let address = address ?? documents
        // Until the project has an address, the place is shown without a link. `Scripts/release` rejects a release
        // without an address.
        let isNamed = !address.contains("TO-BE-NAMED")
        let folder = address.hasSuffix("/") ? address : "\(address)/"
        return ["address": isNamed ? .string(folder + place) : .null, "place": .string(place)]
    }
}

/// A JSON value in the form that templates require.
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
