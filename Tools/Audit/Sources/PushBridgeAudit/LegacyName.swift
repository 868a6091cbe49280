import CIndexStore
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The module and the containing types of a symbol, according to its USR.
///
/// A USR is the compiler's unique string for a symbol, and does not depend on the build of the module. On Apple
/// platforms, a symbol that Objective-C can access has a USR in Objective-C's form, even in Swift sources. The USR of
/// any other Swift symbol is its mangled name.
struct LegacyName: Equatable {
    /// The module that declares the symbol; for a member of an extension, it may differ from the type's module.
    let module: String
    /// The containing types, outermost first.
    let owners: [String]
    /// The last component: the base name in Swift, the selector in Objective-C.
    let name: String
    /// Whether the name is a selector or an enumerator of Objective-C.
    let isSelector: Bool

    /// Parses a USR; returns `nil` for USRs of other forms, such as those of extensions and of C.
    init?(usr: String) {
        if usr.hasPrefix("s:"), !usr.hasPrefix("s:e:") {
            guard let text = Self.demangled("$s" + usr.dropFirst(2)) else { return nil }
            self.init(demangled: text)
        } else if usr.hasPrefix("c:@M@") {
            self.init(objectiveC: usr.dropFirst("c:@M@".count))
        } else if let match = usr.wholeMatch(of: #/c:@CM@(\w+)(?:@\w*)?(@objc.+)/#) {
            // A member that an extension adds to a class; the class may belong to a module other than the extension's.
            self.init(objectiveC: "\(match.1)\(match.2)")
        } else if let match = usr.wholeMatch(of: #/c:(\w+)-Swift\.h@T@(\w+)/#) {
            // The name of an enum in a generated header.
            self.init(module: String(match.1), owners: [], name: String(match.2))
        } else {
            return nil
        }
    }

    private init(module: String, owners: [String], name: String, isSelector: Bool = false) {
        self.module = module
        self.owners = owners
        self.name = name
        self.isSelector = isSelector
    }

    /// Parses `static (extension in App):FRAuthenticator.Account.lock(policy: …) -> ()` and similar names.
    private init?(demangled text: String) {
        var rest = text[...]
        if rest.hasPrefix("static ") { rest = rest.dropFirst("static ".count) }
        var module: Substring?
        if rest.hasPrefix("(extension in ") {
            module = rest.dropFirst("(extension in ".count).prefix { $0 != ")" }
            guard let end = rest.firstRange(of: "):") else { return nil }
            rest = rest[end.upperBound...]
        }
        var components = [""]
        var depth = 0
        scan: for character in rest {
            switch character {
            case "<": depth += 1
            case ">": depth = max(0, depth - 1)
            case _ where depth > 0: continue
            case ".": components.append("")
            case " ", "(", ":": break scan
            default: components[components.count - 1].append(character)
            }
        }
        guard components.count > 1, let name = components.last else { return nil }
        self.init(
            module: module.map(String.init) ?? components[0],
            owners: Array(components[1..<(components.count - 1)]),
            name: name
        )
    }

    /// Parses the part after `c:@M@`: `Module@objc(cs)Account(im)lockWithPolicy:`, `Module@E@PushType@PushTypeChallenge`.
    private init?(objectiveC text: Substring) {
        let module = String(text.prefix { $0 != "@" })
        let rest = text.dropFirst(module.count)
        if let match = rest.wholeMatch(of: #/@objc\((?:cs|pl)\)(\w+)(?:\((?:im|cm|py|cpy)\)(.+))?/#) {
            let type = String(match.1)
            guard let member = match.2 else {
                self.init(module: module, owners: [], name: type)
                return
            }
            self.init(module: module, owners: [type], name: String(member), isSelector: true)
        } else if let match = rest.wholeMatch(of: #/@E@(\w+)(?:@(\w+))?/#) {
            let type = String(match.1)
            guard let member = match.2 else {
                self.init(module: module, owners: [], name: type)
                return
            }
            self.init(module: module, owners: [type], name: String(member), isSelector: true)
        } else {
            return nil
        }
    }

    /// Returns the display name of a place: `Account.lock(policy:)`, or `Mine.evaluate` for Objective-C.
    /// - Parameters:
    ///   - usr: The symbol's USR.
    ///   - name: The symbol's name in the index.
    /// - Returns: The name with the containing types.
    static func readable(usr: String, name: String) -> String {
        // A regular expression is avoided, because it would be parsed for each declaration that contains a
        // use.
        let parts = name.split(separator: ":", maxSplits: 1)
        let name = parts.count == 2 && accessors.contains(parts[0]) ? String(parts[1]) : name
        if usr.hasPrefix("s:e:") { return name }
        if !usr.hasPrefix("s:"), let type = typeInObjectiveC(ofMember: usr) { return "\(type).\(name)" }
        guard let owners = LegacyName(usr: usr)?.owners, !owners.isEmpty else { return name }
        return "\(owners.joined(separator: ".")).\(name)"
    }

    /// Returns the class or protocol in `c:@M@App@objc(cs)Screen(im)show` and
    /// `c:objc(cy)Screen@Extension(im)show`; `nil` if the USR does not belong to a member.
    private static func typeInObjectiveC(ofMember usr: String) -> Substring? {
        guard let start = usr.firstRange(of: "objc(")?.upperBound else { return nil }
        let parts = usr[start...].split(separator: ")", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, ["cs", "pl", "cy"].contains(parts[0]) else { return nil }
        let member = parts[1].split(separator: "(")
        guard member.count == 2, ["im", "cm", "py", "cpy"].contains(member[1]) else { return nil }
        return member[0].prefix { $0 != "@" }
    }

    /// The words that precede a property's name in the names of its accessors.
    private static let accessors: Set<Substring> = [
        "getter", "setter", "init", "willSet", "didSet", "_read", "_modify",
    ]

    private static func demangled(_ mangled: String) -> String? {
        guard let result = swift_demangle(mangled, mangled.utf8.count, nil, nil, 0) else { return nil }
        defer { free(result) }
        let text = String(cString: result)
        return text == mangled ? nil : text
    }
}
