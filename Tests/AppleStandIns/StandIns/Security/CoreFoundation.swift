public import Foundation

/// What CoreFoundation's dictionary is bridged to on Apple platforms.
public typealias CFDictionary = NSDictionary
/// What CoreFoundation's string is bridged to on Apple platforms.
public typealias CFString = NSString
/// What CoreFoundation's array is bridged to on Apple platforms.
public typealias CFArray = NSArray
/// Any object of CoreFoundation.
public typealias CFTypeRef = AnyObject
/// A result of Security, 0 for success.
public typealias OSStatus = Int32
