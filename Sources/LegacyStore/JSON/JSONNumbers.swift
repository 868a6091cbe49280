import Foundation
import PushBridgeCore

/// A date in milliseconds since 1970, read with or without a fraction, written whole.
struct JSONDate: Codable {
    let date: Date

    init(_ date: Date) {
        self.date = date
    }

    init(from decoder: any Decoder) throws {
        let milliseconds = try decoder.singleValueContainer().decode(Double.self)
        date = Date(timeIntervalSince1970: milliseconds / 1000)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.millisecondsSince1970)
    }
}

/// A whole number, also when it is spelled `6.0`.
struct JSONInteger: Codable {
    let value: Int

    init(_ value: Int) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            value = try container.decode(Int.self)
        } catch {
            guard let whole = Int(exactly: try container.decode(Double.self)) else { throw error }
            value = whole
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

/// Seconds, written without a fraction when there is none.
struct JSONSeconds: Codable {
    let value: TimeInterval

    init(_ value: TimeInterval) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Double.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let whole = Int64(exactly: value) {
            try container.encode(whole)
        } else {
            try container.encode(value)
        }
    }
}
