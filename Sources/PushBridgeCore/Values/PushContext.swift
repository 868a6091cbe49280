import Foundation

/// The origin of a login, as far as the server knows it.
///
/// PingAM 7.2 or later sends these details if the node *Push Sender* shares its context. Each part is `nil` if the
/// journey did not collect the part, or if the part is invalid. The place and the browser's name are unverified,
/// because the browser sends them.
public struct PushContext: Equatable, Sendable {
    /// A place, from the node *Device Profile Collector*.
    public struct Location: Equatable, Sendable {
        /// Degrees north of the equator, -90 to 90.
        public let latitude: Double
        /// Degrees east of Greenwich, -180 to 180.
        public let longitude: Double

        /// Creates a location; `nil` if the degrees are out of range.
        /// - Parameters:
        ///   - latitude: Degrees from -90 to 90.
        ///   - longitude: Degrees from -180 to 180.
        public init?(latitude: Double, longitude: Double) {
            guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// The place; `nil` if one of its coordinates is missing or invalid.
    public let location: Location?
    /// The browser's name in one line of at most 512 characters, without invisible characters.
    ///
    /// An attacker can choose this text. Show it as a quotation, never as part of a sentence of the app.
    public let userAgent: String?
    /// The IPv4 or IPv6 address from which the request was sent, as the server spells it.
    public let remoteAddress: String?

    /// The maximum size of `contextInfo` in bytes; APNs delivers at most 4,096 bytes in a push.
    private static let largest = 16_384

    /// Parses the details of a push.
    ///
    /// The initialiser never fails: an invalid part is `nil`, and the other parts are still read.
    ///
    /// - Parameter contextInfo: The JSON text of a notification's `contextInfo`.
    public init(_ contextInfo: String?) {
        let parts = contextInfo.flatMap(Self.parts)
        location = parts?.location
        userAgent = parts?.userAgent?.visibleLine(atMost: 512)
        remoteAddress = parts?.remoteIp?.address
    }

    /// Whether no part is known.
    public var isEmpty: Bool { location == nil && userAgent == nil && remoteAddress == nil }

    private static func parts(_ text: String) -> Parts? {
        let json = Data(text.utf8)
        guard json.count <= largest, json.nestsAtMost(JSONValue.deepest) else { return nil }
        do {
            return try JSONDecoder().decode(Parts.self, from: json)
        } catch {
            return nil
        }
    }
}

extension PushContext: CustomStringConvertible, Concealed {
    /// The names of the known parts, without their values.
    public var description: String {
        let parts = [
            location == nil ? nil : "location", userAgent == nil ? nil : "userAgent",
            remoteAddress == nil ? nil : "remoteAddress",
        ]
        return "PushContext(\(parts.compactMap(\.self).joined(separator: ", ")))"
    }
}

extension PushContext.Location: CustomStringConvertible, Concealed {
    /// The name of the type, without the coordinates.
    public var description: String { "Location" }
}

extension PushNotification {
    /// The server's details about the login, read from ``contextInfo``.
    public var context: PushContext { PushContext(contextInfo) }
}

// MARK: - Reading

/// The parts as the JSON contains them; only the coordinates are already checked.
///
/// Each part is decoded separately, so that an invalid number does not hide the address.
private struct Parts: Decodable {
    let location: PushContext.Location?
    let userAgent: String?
    let remoteIp: String?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let place = members.readable(Place.self, .location)
        location = place.flatMap { PushContext.Location(latitude: $0.latitude, longitude: $0.longitude) }
        userAgent = members.readable(String.self, .userAgent)
        remoteIp = members.readable(String.self, .remoteIp)
    }

    private enum CodingKeys: CodingKey {
        case location, userAgent, remoteIp
    }
}

/// Coordinates from the node *Device Profile Collector*, as numbers or, if a script wrote them, as text.
private struct Place: Decodable {
    let latitude: Double
    let longitude: Double

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        latitude = try Self.degrees(members, .latitude)
        longitude = try Self.degrees(members, .longitude)
    }

    private static func degrees(
        _ members: KeyedDecodingContainer<CodingKeys>,
        _ key: CodingKeys
    ) throws -> Double {
        if let number = members.readable(Double.self, key) { return number }
        let text = try members.decode(String.self, forKey: key).trimmingCharacters(in: .whitespaces)
        // The characters are checked first, because `Double` also parses hexadecimal numbers and words such as `nan`.
        guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }),
            let number = Double(text)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: members,
                debugDescription: "The text is not a number of degrees."
            )
        }
        return number
    }

    private enum CodingKeys: CodingKey {
        case latitude, longitude
    }
}

extension KeyedDecodingContainer {
    /// Returns the value of a member; `nil` if it is absent, `null` or of another type.
    fileprivate func readable<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        do {
            return try decode(type, forKey: key)
        } catch {
            return nil
        }
    }
}

extension String {
    /// Returns the first `count` visible characters of the text, in one line; `nil` if there is none.
    ///
    /// Characters that change the direction of text do not count as visible.
    fileprivate func visibleLine(atMost count: Int) -> String? {
        let visible = unicodeScalars.lazy.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                false
            default: true
            }
        }
        var line = String.UnicodeScalarView()
        line.append(contentsOf: visible.prefix(count))
        return String(line).trimmingCharacters(in: .whitespaces).nonEmpty
    }

    /// The text if it is an IP address, otherwise `nil`.
    fileprivate var address: String? {
        let text = trimmingCharacters(in: .whitespaces)
        // `inet_pton` ignores the text after a NUL character, so the text may contain only characters of addresses.
        guard text.utf8.count <= 45,
            text.allSatisfy({ $0.isASCII && ($0.isHexDigit || $0 == "." || $0 == ":") })
        else { return nil }
        var bytes = in6_addr()
        let isAddress = [AF_INET, AF_INET6].contains { inet_pton($0, text, &bytes) == 1 }
        return isAddress ? text : nil
    }
}
