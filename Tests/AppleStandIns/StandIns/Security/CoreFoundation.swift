public import Foundation

/// The Swift type to which CoreFoundation's dictionary is bridged on Apple platforms.
public typealias CFDictionary = NSDictionary
/// The Swift type to which CoreFoundation's string is bridged on Apple platforms.
public typealias CFString = NSString
/// The Swift type to which CoreFoundation's array is bridged on Apple platforms.
public typealias CFArray = NSArray
/// Any object of CoreFoundation.
public typealias CFTypeRef = AnyObject
/// The result of a function in Security; 0 means success.
public typealias OSStatus = Int32
